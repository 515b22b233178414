! vouch: run -n 2
! expect: clean
program goodrank
  use mpi_f08
  implicit none
  integer :: x, y, rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Sendrecv(x, 1, MPI_INTEGER, 1 - rank, 7, y, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (y /= 1 - rank) stop 1
  call MPI_Finalize()
end program goodrank
