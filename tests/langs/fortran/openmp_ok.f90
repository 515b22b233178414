! vouch: run -n 2
! expect: clean
! flags: -fopenmp
program hybrid
  use mpi_f08
  implicit none
  integer :: rank, size, provided, i
  real(8) :: total, all
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  total = 0
  !$omp parallel do reduction(+:total) num_threads(3)
  do i = 1, 1000
    total = total + rank
  end do
  call MPI_Allreduce(total, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (nint(all) /= 1000 * size * (size - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1)
  call MPI_Finalize()
end program
