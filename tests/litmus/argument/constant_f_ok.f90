! vouch: run -n 1
! expect: clean
program order
  implicit none
  include 'mpif.h'
  integer ierr
  integer type
  call MPI_Init(ierr)
  call MPI_Type_create_subarray(1, [4], [2], [0], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
  call MPI_Type_free(type, ierr)
  call MPI_Finalize(ierr)
end program order
