! vouch: run -n 1
! expect: error argument/attribute @a
! also: crash
! From Fortran, where Open MPI's entries do not pass through the C ones.
program attributes
  use mpi_f08
  implicit none
  integer :: keyval
  integer(MPI_ADDRESS_KIND) :: value = 5, nothing = 0
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, nothing)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value)  ! @a
  call MPI_Type_free_keyval(keyval)
  call MPI_Finalize()
end program attributes
