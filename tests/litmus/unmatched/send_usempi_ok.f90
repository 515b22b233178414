! vouch: run -n 2 --buffering as-run
! expect: clean
program p
  use mpi
  implicit none
  integer :: rank, ierr
  integer :: x(1)
  x = 1
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program p
