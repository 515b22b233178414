! vouch: run -n 1
! expect: error argument/rank @a
program badrank
  use mpi
  implicit none
  integer ierr
  integer :: x, request
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 1
  request = MPI_REQUEST_NULL
  call MPI_Irecv(x, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, request, ierr)  ! @a
  call MPI_Finalize(ierr)
end program badrank
