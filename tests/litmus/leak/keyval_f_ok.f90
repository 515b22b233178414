! vouch: run -n 1
! expect: clean
program leaking
  implicit none
  include 'mpif.h'
  integer ierr
  integer :: keyval
  integer(MPI_ADDRESS_KIND) :: nothing
  call MPI_Init(ierr)
  nothing = 0
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, nothing, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Finalize(ierr)
end program leaking
