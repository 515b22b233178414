! vouch: run -n 1
! expect: clean
program nullstart
  implicit none
  include 'mpif.h'
  integer ierr
  integer :: request
  call MPI_Init(ierr)
  request = MPI_REQUEST_NULL
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program nullstart
