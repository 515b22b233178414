! vouch: run -n 2
! expect: clean
program summing
  use mpi_f08
  implicit none
  double precision :: x(4)
  call MPI_Init()
  x = 1
  call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Allreduce(x(1), x(3), 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Finalize()
end program summing
