! vouch: run -n 2
! expect: clean
program leaking
  use mpi_f08
  implicit none
  integer(MPI_ADDRESS_KIND) :: bytes = 64
  integer :: room(16)
  type(MPI_Win) :: win
  call MPI_Init()
  call MPI_Win_create(room, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program leaking
