! vouch: run -n 1
! expect: error argument/count @a
! also: crash
program badcount
  use mpi
  implicit none
  integer ierr
  double precision :: x(4), y(4)
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 1
  call MPI_Allreduce(x, y, -4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_SELF, ierr)  ! @a
  call MPI_Finalize(ierr)
end program badcount
