! vouch: run -n 1
! expect: clean
! flags: -fopenmp
! requires: threads
program concurrent
  use mpi_f08
  implicit none
  integer :: provided, x, i
  x = 1
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
  !$omp parallel num_threads(2)
  do i = 1, 20
    !$omp critical
    call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD)
    !$omp end critical
  end do
  !$omp end parallel
  call MPI_Finalize()
end program concurrent
