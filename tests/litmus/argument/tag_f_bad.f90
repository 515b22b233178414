! vouch: run -n 1
! expect: error argument/tag @a
program badtag
  implicit none
  include 'mpif.h'
  integer ierr
  real x
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 1
  call MPI_Ssend(x, 1, MPI_REAL, 0, -3, MPI_COMM_WORLD, ierr)  ! @a
  call MPI_Finalize(ierr)
end program badtag
