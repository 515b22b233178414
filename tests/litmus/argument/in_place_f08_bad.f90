! vouch: run -n 1
! expect: error argument/in-place @a
! also: crash
program inplace
  use mpi_f08
  implicit none
  integer :: x
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Alltoall(x, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, MPI_COMM_SELF)  ! @a
  call MPI_Finalize()
end program inplace
