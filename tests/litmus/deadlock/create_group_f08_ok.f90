! vouch: run -n 3
! expect: clean
program create_group_f08
  use mpi_f08
  implicit none
  integer :: rank, x
  type(MPI_Group) :: group, two
  type(MPI_Comm) :: comm, pair
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Comm_group(MPI_COMM_WORLD, group)
  call MPI_Group_incl(group, 2, [0, 1], two)
  if (rank < 2) call MPI_Comm_create_group(MPI_COMM_WORLD, two, 1, pair)
  call MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm)
  if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  if (rank == 1) call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (rank < 2) call MPI_Comm_free(pair)
  call MPI_Group_free(two)
  call MPI_Comm_free(comm)
  call MPI_Group_free(group)
  call MPI_Finalize()
end program create_group_f08
