! vouch: run -n 2
! expect: clean
program freeing
  implicit none
  include 'mpif.h'
  integer ierr
  integer request, x
  call MPI_Init(ierr)
  x = 1
  call MPI_Ibcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program freeing
