! vouch: run -n 1
! expect: error type/uncommitted @a
program uncommitted
  implicit none
  include 'mpif.h'
  integer ierr
  integer x(8), column
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Type_vector(4, 1, 2, MPI_INTEGER, column, ierr)
  call MPI_Recv(x, 1, column, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_Type_free(column, ierr)
  call MPI_Finalize(ierr)
end program uncommitted
