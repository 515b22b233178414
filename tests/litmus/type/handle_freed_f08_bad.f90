! vouch: run -n 1
! expect: error type/handle @a
! also: crash
program freed
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: pair, copy
  integer :: x(2)
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  copy = pair
  call MPI_Type_free(pair)
  call MPI_Bcast(x, 1, copy, 0, MPI_COMM_SELF)  ! @a
  call MPI_Finalize()
end program freed
