! vouch: run -n 2
! expect: error crash/signal @a
! also: crash
program crash
  use mpi_f08
  implicit none
  integer :: rank
  integer, pointer :: nowhere
  nullify(nowhere)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)  ! @a
  if (rank == 1) nowhere = 3
  call MPI_Finalize()
end program crash
