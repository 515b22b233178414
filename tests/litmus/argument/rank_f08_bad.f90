! vouch: run -n 2
! expect: error argument/rank @a
program badrank
  use mpi_f08
  implicit none
  integer :: x
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Send(x, 1, MPI_INTEGER, -7, 7, MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program badrank
