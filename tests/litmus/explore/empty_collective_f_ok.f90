! vouch: explore -n 3
! expect: clean
! explores: 2
program empty_collective_f
  use mpi
  implicit none
  integer :: rank, x, y, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 0
  y = 0
  if (rank == 0) then
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Bcast(y, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
    if (rank == 1) call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    call MPI_Bcast(y, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (rank == 2) call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program empty_collective_f
