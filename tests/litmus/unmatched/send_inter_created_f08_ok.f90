! vouch: run -n 4
! expect: clean
! An inter-communicator made by MPI_Comm_create from another one, and its duplicate.
program created
  use mpi_f08
  implicit none
  integer :: rank, me, x, y
  type(MPI_Comm) :: half, inter, made, copy
  type(MPI_Group) :: all, one
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, half)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 9, inter)
  call MPI_Comm_group(inter, all)
  call MPI_Group_incl(all, 1, [0], one)
  call MPI_Comm_create(inter, one, made)
  if (made /= MPI_COMM_NULL) then
    call MPI_Comm_dup(made, copy)
    x = rank
    call MPI_Comm_rank(copy, me)
    call MPI_Isend(x, 1, MPI_INTEGER, me, 3, copy, request)
    call MPI_Recv(y, 1, MPI_INTEGER, 0, 3, copy, MPI_STATUS_IGNORE)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Barrier(copy)
    call MPI_Comm_free(copy)
    call MPI_Comm_free(made)
  end if
  call MPI_Group_free(one)
  call MPI_Group_free(all)
  call MPI_Comm_free(inter)
  call MPI_Comm_free(half)
  call MPI_Finalize()
end program
