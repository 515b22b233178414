! vouch: run -n 1
! expect: error topology/kind @a
program nocart
  implicit none
  include 'mpif.h'
  integer ierr
  integer source, dest
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Cart_shift(MPI_COMM_SELF, 0, 1, source, dest, ierr)  ! @a
  call MPI_Finalize(ierr)
end program nocart
