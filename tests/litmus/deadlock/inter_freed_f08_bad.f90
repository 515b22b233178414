! vouch: run -n 4
! expect: error deadlock/finished-rank @a
! also: crash
program inter_freed
  use mpi_f08
  implicit none
  integer :: rank, x
  type(MPI_Comm) :: half, inter
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 3, inter)
  call MPI_Barrier(inter)
  call MPI_Comm_free(inter)
  call MPI_Comm_free(half)
  if (rank == 0) call MPI_Recv(x, 1, MPI_INTEGER, 3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! @a
  call MPI_Finalize()
end program
