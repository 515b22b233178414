! predict: -n 3
! flags: {api}/vouch.f90
! finds: assertion/violated shown
! verdict: error
! Rank 0 believes that the message of rank 2 is the first. It has come before rank 1 is told to send, but nothing in MPI says that it is
! matched first.
program order
  use mpi
  use vouch
  implicit none
  integer, parameter :: tag = 1, ready = 2, go = 3
  integer :: rank, error, x, first, second, request, status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  x = rank
  if (rank == 0) then
    call MPI_Recv(x, 1, MPI_INTEGER, 2, ready, MPI_COMM_WORLD, status, error)
    call MPI_Send(x, 1, MPI_INTEGER, 1, go, MPI_COMM_WORLD, error)
    call MPI_Recv(first, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, status, error)
    call vouch_assume(first > 0, '$1 > 0', first)
    call MPI_Recv(second, 1, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, status, error)
    call vouch_assert(first > second, '$1 .gt. $2', first, second)
  else if (rank == 1) then
    call MPI_Recv(first, 1, MPI_INTEGER, 0, go, MPI_COMM_WORLD, status, error)
    call MPI_Send(x, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, error)
  else if (rank == 2) then
    call MPI_Isend(x, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, request, error)
    call MPI_Send(x, 1, MPI_INTEGER, 0, ready, MPI_COMM_WORLD, error)
    call MPI_Wait(request, status, error)
  end if
  call MPI_Finalize(error)
end program order
