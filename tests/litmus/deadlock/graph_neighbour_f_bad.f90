! vouch: run -n 3
! expect: error deadlock/wait-cycle @a
! also: crash
program main
  use mpi
  implicit none
  integer :: rank, nranks, ring, ierr, left(1), right(1), x(1), y(1)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  left = mod(rank + nranks - 1, nranks)
  right = mod(rank + 1, nranks)
  x = 0
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, left, MPI_UNWEIGHTED, 1, right, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., ring, ierr)
  if (rank == 0) call MPI_Recv(x, 1, MPI_INTEGER, right(1), 0, ring, MPI_STATUS_IGNORE, ierr)  ! @a
  call MPI_Neighbor_allgather(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, ring, ierr)
  if (rank == 1) call MPI_Send(y, 1, MPI_INTEGER, left(1), 0, ring, ierr)
  call MPI_Comm_free(ring, ierr)
  call MPI_Finalize(ierr)
end program main
