! vouch: run -n 2
! expect: error buffer/pending-overlap @a
! expect: error deadlock/wait-cycle @b
! exit: any
! Two receives into one buffer: wrong data, but they complete. The deadlock has nothing to do with it.
program overlap
  use mpi
  implicit none
  integer :: rank, x, y, ierr, requests(2)
  integer, asynchronous, save :: buffer(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 1
  buffer = 0
  if (rank == 0) then
    call MPI_Irecv(buffer, 2, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(buffer(2), 2, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, requests(2), ierr)  ! @a
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  else
    call MPI_Send(buffer, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, ierr)
    call MPI_Send(buffer, 2, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Recv(y, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)  ! @b
  call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program overlap
