! vouch: run -n 2
! expect: clean
program p
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x(5)
  x = 1
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(x, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD)
  else
    call MPI_Recv(x, 5, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program p
