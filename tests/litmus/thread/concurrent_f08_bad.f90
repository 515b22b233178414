! vouch: run -n 1
! expect: error thread/concurrent @a
! flags: -fopenmp
! requires: threads
program concurrent
  use mpi_f08
  implicit none
  integer :: provided, x
  x = 1
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
  !$omp parallel num_threads(2)
  call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD)  ! @a
  !$omp end parallel
  call MPI_Finalize()
end program concurrent
