! vouch: run -n 1
! expect: clean
program attributes
  use mpi_f08
  implicit none
  integer :: keyval
  logical :: flag
  integer(MPI_ADDRESS_KIND) :: value = 5, nothing = 0
  call MPI_Init()
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, nothing)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value)
  call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, value, flag)
  call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
  call MPI_Comm_free_keyval(keyval)
  if (.not. flag) stop 1
  call MPI_Finalize()
end program attributes
