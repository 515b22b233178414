! vouch: run -n 1
! expect: clean
program stale
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm, copy
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_SELF, comm)
  copy = comm
  call MPI_Barrier(copy)
  call MPI_Comm_free(comm)
  call MPI_Finalize()
end program stale
