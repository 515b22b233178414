! vouch: run -n 2
! expect: error buffer/call-overlap @a
! also: crash
program summing
  use mpi_f08
  implicit none
  double precision :: x(4)
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  x = 1
  call MPI_Allreduce(x(1), x(2), 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)  ! @a
  call MPI_Finalize()
end program summing
