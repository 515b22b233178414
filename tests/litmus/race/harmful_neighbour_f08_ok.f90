! vouch: run -n 3
! expect: clean
!
! Rank 2 gets something of rank 0, which has its message by then.
program litmus
  use mpi_f08
  implicit none
  type(MPI_Comm) :: graph
  integer :: rank, x(2), y(2), into(1), from(1), none(0)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  from = 0
  into = 2
  if (rank == 0) then
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_UNWEIGHTED, 1, into, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., graph)
  else if (rank == 2) then
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 0, none, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., graph)
  else
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_UNWEIGHTED, 0, none, MPI_UNWEIGHTED, &
                                        MPI_INFO_NULL, .false., graph)
  end if
  x = rank
  y = 0
  if (rank == 1) call MPI_Send(x, 1, MPI_INTEGER, 0, 5, graph)
  if (rank == 0) call MPI_Recv(y, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, graph, MPI_STATUS_IGNORE)
  call MPI_Neighbor_alltoall(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, graph)
  if (rank == 2) call MPI_Send(x, 2, MPI_INTEGER, 0, 5, graph)
  if (rank == 0) call MPI_Recv(y, 2, MPI_INTEGER, MPI_ANY_SOURCE, 5, graph, MPI_STATUS_IGNORE)
  call MPI_Comm_free(graph)
  call MPI_Finalize()
end program
