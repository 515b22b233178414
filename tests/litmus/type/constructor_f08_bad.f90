! vouch: run -n 1
! expect: error type/constructor @a
program indexed
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: kind
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  kind = MPI_DATATYPE_NULL
  call MPI_Type_indexed(2, [1, -1], [0, 4], MPI_REAL, kind)  ! @a
  call MPI_Finalize()
end program indexed
