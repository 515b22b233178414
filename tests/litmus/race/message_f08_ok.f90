! vouch: run -n 3
! expect: clean
program p
  use mpi_f08
  implicit none
  integer :: rank
  integer :: x(4), y(4)
  integer :: k
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  if (rank == 0) then
    call MPI_Recv(y, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(y, 1, MPI_INTEGER, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  else
    call MPI_Send(x, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program p
