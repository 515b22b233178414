! vouch: run -n 2
! flags: {api}/vouch.f90
! expect: clean
program violated
  use mpi
  use vouch
  implicit none
  integer :: rank, error, x, status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  x = 3
  if (rank == 1) then
    call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, error)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, status, error)
    call vouch_assert(x == 3, '$1 == 3', x)
  end if
  call MPI_Finalize(error)
end program violated
