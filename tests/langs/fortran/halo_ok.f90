! vouch: run -n 3
! expect: clean
program halo
  use mpi_f08
  implicit none
  integer :: rank, size, right, left
  real(8), asynchronous :: field(0:9)
  type(MPI_Request) :: requests(4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  field = rank
  call MPI_Irecv(field(0), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Irecv(field(9), 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Isend(field(8), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3))
  call MPI_Isend(field(1), 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4))
  call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
  if (nint(field(0)) /= left .or. nint(field(9)) /= right) call MPI_Abort(MPI_COMM_WORLD, 1)
  call MPI_Finalize()
end program
