! vouch: run -n 1
! expect: clean
program leaking
  implicit none
  include 'mpif.h'
  integer ierr
  integer x, y, request
  call MPI_Init(ierr)
  x = 1
  call MPI_Isend(x, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, request, ierr)
  call MPI_Recv(y, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program leaking
