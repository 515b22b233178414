! vouch: run -n 2
! expect: error request/free @a
! also: crash
program freeing
  implicit none
  include 'mpif.h'
  integer ierr
  integer request, x
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  x = 1
  call MPI_Ibcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Request_free(request, ierr)  ! @a
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program freeing
