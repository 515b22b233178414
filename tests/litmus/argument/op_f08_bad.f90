! vouch: run -n 1
! expect: error argument/op @a
program badop
  use mpi_f08
  implicit none
  real :: x, y
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Allreduce(x, y, 1, MPI_REAL, MPI_LOR, MPI_COMM_SELF)  ! @a
  call MPI_Finalize()
end program badop
