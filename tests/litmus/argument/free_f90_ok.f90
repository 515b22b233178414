! vouch: run -n 1
! expect: clean
! [U23]: commits of predefined types, twice, and of types by precision.
program free_f90
  use mpi_f08
  implicit none
  type(MPI_Datatype) :: kind, pair
  call MPI_Init()
  call MPI_Type_create_f90_real(15, 307, kind)
  call MPI_Type_commit(kind)
  call MPI_Type_contiguous(2, kind, pair)
  call MPI_Type_commit(pair)
  call MPI_Type_commit(pair)
  call MPI_Type_free(pair)
  pair = MPI_INTEGER
  call MPI_Type_commit(pair)
  call MPI_Finalize()
end program free_f90
