! vouch: run -n 1
! expect: clean
! Fortran has numbers of its own for predefined attributes with some libraries.
program tagub
  implicit none
  include 'mpif.h'
  integer ierr
  integer(MPI_ADDRESS_KIND) value
  logical flag
  call MPI_Init(ierr)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  if (.not. flag .or. value < 32767) stop 1
  call MPI_Finalize(ierr)
end program tagub
