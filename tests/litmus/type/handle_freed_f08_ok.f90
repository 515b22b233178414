! vouch: run -n 1
! expect: clean
program freed
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: pair
  integer :: x(2)
  call MPI_Init()
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Bcast(x, 1, pair, 0, MPI_COMM_SELF)
  call MPI_Type_free(pair)
  call MPI_Finalize()
end program freed
