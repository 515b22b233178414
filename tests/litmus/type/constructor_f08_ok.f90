! vouch: run -n 1
! expect: clean
program indexed
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: kind
  call MPI_Init()
  call MPI_Type_indexed(2, [1, 0], [-4, 4], MPI_REAL, kind)
  call MPI_Type_free(kind)
  call MPI_Finalize()
end program indexed
