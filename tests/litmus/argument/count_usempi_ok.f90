! vouch: run -n 1
! expect: clean
program goodcount
  use mpi
  implicit none
  integer ierr
  double precision :: x(4), y(4)
  call MPI_Init(ierr)
  x = 1
  call MPI_Allreduce(x, y, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Allreduce(x, y, 0, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
end program goodcount
