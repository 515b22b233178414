! vouch: run -n 2
! expect: clean
program crash
  use mpi_f08
  implicit none
  integer :: rank
  integer, target :: room
  integer, pointer :: somewhere
  somewhere => room
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 1) somewhere = 3
  call MPI_Finalize()
end program crash
