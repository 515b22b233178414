! vouch: run -n 1
! expect: clean
program goodtag
  implicit none
  include 'mpif.h'
  integer ierr
  real x, y
  integer request
  call MPI_Init(ierr)
  x = 1
  call MPI_Irecv(y, 1, MPI_REAL, 0, MPI_ANY_TAG, MPI_COMM_WORLD, request, ierr)
  call MPI_Ssend(x, 1, MPI_REAL, 0, 3, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program goodtag
