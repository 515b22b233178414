! vouch: run -n 1
! expect: error argument/constant @a
program order
  implicit none
  include 'mpif.h'
  integer ierr
  integer type
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  type = MPI_DATATYPE_NULL
  call MPI_Type_create_subarray(1, [4], [2], [0], -12345, MPI_INTEGER, type, ierr)  ! @a
  call MPI_Finalize(ierr)
end program order
