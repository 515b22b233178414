! vouch: run --check-buffers -n 2
! expect: clean
program modified
  use mpi_f08
  implicit none
  integer :: rank
  double precision :: a(100), b(100)
  type(MPI_Request) :: request
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  a = rank
  call MPI_Isend(a, 100, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, request)
  call MPI_Recv(b, 100, MPI_DOUBLE_PRECISION, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  a(50) = 0.5d0
  call MPI_Finalize()
end program modified
