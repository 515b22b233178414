! vouch: run -n 1
! expect: error argument/communicator @a
! also: crash
program stale
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm, copy
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Comm_dup(MPI_COMM_SELF, comm)
  copy = comm
  call MPI_Comm_free(comm)
  call MPI_Barrier(copy)  ! @a
  call MPI_Finalize()
end program stale
