! vouch: run -n 2
! expect: error argument/root @a
program badroot
  use mpi_f08
  implicit none
  integer :: x(2), y(4)
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Gather(x, 2, MPI_INTEGER, y, 2, MPI_INTEGER, 2, MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program badroot
