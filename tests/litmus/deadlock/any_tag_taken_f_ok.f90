! vouch: run -n 2
! expect: clean
program main
  use mpi
  implicit none
  integer :: rank, x, y, r, ierr
  x = 0
  y = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Irecv(x, 1, MPI_INTEGER, 1, MPI_ANY_TAG, MPI_COMM_WORLD, r, ierr)
    call MPI_Recv(y, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Send(x, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program main
