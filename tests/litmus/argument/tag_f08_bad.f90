! vouch: run -n 1
! expect: error argument/tag @a
program badtag
  use mpi_f08
  implicit none
  real :: x
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Send(x, 1, MPI_REAL, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program badtag
