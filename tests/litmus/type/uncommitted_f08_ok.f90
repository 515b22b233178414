! vouch: run -n 1
! expect: clean
program uncommitted
  use mpi_f08
  implicit none
  integer :: x(8)
  type(MPI_Datatype) :: block
  call MPI_Init()
  call MPI_Type_create_subarray(1, [8], [2], [0], MPI_ORDER_FORTRAN, MPI_INTEGER, block)
  call MPI_Type_commit(block)
  call MPI_Bcast(x, 1, block, 0, MPI_COMM_WORLD)
  call MPI_Type_free(block)
  call MPI_Finalize()
end program uncommitted
