! vouch: run -n 1
! expect: clean
program self_f08
  use mpi_f08
  implicit none
  integer :: rank, x, y
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  y = rank
  call MPI_Sendrecv(y, 1, MPI_INTEGER, 0, 0, x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Finalize()
end program self_f08
