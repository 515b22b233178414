! vouch: run -n 4
! expect: error unmatched/send @a
program created
  use mpi_f08
  implicit none
  integer :: rank, x
  type(MPI_Comm) :: half, inter, made
  type(MPI_Group) :: all, one
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 9, inter)
  call MPI_Comm_group(inter, all)
  call MPI_Group_incl(all, 1, [0], one)
  call MPI_Comm_create(inter, one, made)
  x = rank
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 0, 1, made)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 2, made)  ! @a
  end if
  if (rank == 1) call MPI_Recv(x, 1, MPI_INTEGER, 0, 1, made, MPI_STATUS_IGNORE)
  if (made /= MPI_COMM_NULL) call MPI_Comm_free(made)
  call MPI_Group_free(one)
  call MPI_Group_free(all)
  call MPI_Comm_free(inter)
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program created
