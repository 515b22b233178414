! vouch: run -n 2 --buffering as-run
! expect: clean
program p
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x(1)
  x = 1
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)
    call MPI_Send(x, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD)
  else
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program p
