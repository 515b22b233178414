! vouch: run -n 2
! expect: warning leak/window @a
! requires: openmpi
program leaking
  use mpi_f08
  implicit none
  integer(MPI_ADDRESS_KIND) :: bytes = 64
  integer :: room(16)
  type(MPI_Win) :: win
  call MPI_Init()
  call MPI_Win_create(room, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)  ! @a
  call MPI_Finalize()
end program leaking
