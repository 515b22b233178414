! vouch: run -n 1
! expect: error type/uncommitted @a
program uncommitted
  use mpi_f08
  implicit none
  integer :: x(8)
  type(MPI_Datatype) :: block
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Type_create_subarray(1, [8], [2], [0], MPI_ORDER_FORTRAN, MPI_INTEGER, block)
  call MPI_Bcast(x, 1, block, 0, MPI_COMM_WORLD)  ! @a
  call MPI_Type_free(block)
  call MPI_Finalize()
end program uncommitted
