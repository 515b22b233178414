! vouch: run -n 1
! expect: clean
program inplace
  implicit none
  include 'mpif.h'
  integer ierr
  integer x
  call MPI_Init(ierr)
  x = 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
end program inplace
