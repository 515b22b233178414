! vouch: run -n 2
! expect: clean
program epoch
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous, save :: memory
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  type(MPI_Win) :: window
  type(MPI_Group) :: all, group
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  bytes = 4
  call MPI_Comm_group(MPI_COMM_WORLD, all)
  call MPI_Group_incl(all, 1, [1 - rank], group)
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_post(group, 0, window)
  call MPI_Win_start(group, 0, window)
  call MPI_Win_complete(window)
  call MPI_Win_wait(window)
  call MPI_Win_free(window)
  call MPI_Group_free(group)
  call MPI_Group_free(all)
  call MPI_Finalize()
end program epoch
