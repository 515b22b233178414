! vouch: run -n 2
! expect: clean
program no_finalize
  use mpi_f08
  implicit none
  call MPI_Init()
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program no_finalize
