! vouch: run -n 1
! expect: error argument/communicator @a
program null
  implicit none
  include 'mpif.h'
  integer ierr
  integer size
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_size(MPI_COMM_NULL, size, ierr)  ! @a
  call MPI_Finalize(ierr)
end program null
