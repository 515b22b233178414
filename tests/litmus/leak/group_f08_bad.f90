! vouch: run -n 1
! expect: warning leak/group @a
program leaking
  use mpi_f08
  implicit none
  type(MPI_Group) :: group
  call MPI_Init()
  call MPI_Comm_group(MPI_COMM_WORLD, group)  ! @a
  call MPI_Finalize()
end program leaking
