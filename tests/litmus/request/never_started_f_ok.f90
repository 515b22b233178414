! vouch: run -n 1
! expect: clean
program started
  implicit none
  include 'mpif.h'
  integer ierr
  integer y, request
  call MPI_Init(ierr)
  call MPI_Recv_init(y, 1, MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_SELF, request, ierr)
  call MPI_Start(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Request_free(request, ierr)
  call MPI_Finalize(ierr)
end program started
