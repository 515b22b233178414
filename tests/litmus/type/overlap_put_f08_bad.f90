! vouch: run -n 2
! expect: error type/overlap @a
program moves
  use mpi_f08
  implicit none
  integer :: rank, x(4) = 0, places(2) = [0, 1]
  integer, asynchronous :: memory(32) = 0
  type(MPI_Win) :: win
  type(MPI_Datatype) :: twice
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Type_create_indexed_block(2, 2, places, MPI_INTEGER, twice)
  call MPI_Type_commit(twice)
  call MPI_Win_create(memory, 128_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  if (rank == 0) call MPI_Put(x, 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, twice, win)  ! @a
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Type_free(twice)
  call MPI_Finalize()
end program moves
