! vouch: run -n 1
! expect: warning leak/request @a
program request_persistent_f
  implicit none
  include 'mpif.h'
  integer :: x, request, ierr
  call MPI_Init(ierr)
  x = 1
  call MPI_Send_init(x, 1, MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_SELF, request, ierr)  ! @a
  call MPI_Start(request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program request_persistent_f
