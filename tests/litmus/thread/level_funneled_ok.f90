! vouch: run -n 1
! expect: clean
! flags: -fopenmp
! requires: threads
program funneled
  use mpi_f08
  implicit none
  integer :: provided, x
  x = 1
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  !$omp parallel num_threads(2)
  !$omp master
  call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD)
  !$omp end master
  !$omp end parallel
  call MPI_Finalize()
end program funneled
