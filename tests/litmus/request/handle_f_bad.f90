! vouch: run -n 1
! expect: error request/handle @a
program nullstart
  implicit none
  include 'mpif.h'
  integer ierr
  integer :: request
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  request = MPI_REQUEST_NULL
  call MPI_Start(request, ierr)  ! @a
  call MPI_Finalize(ierr)
end program nullstart
