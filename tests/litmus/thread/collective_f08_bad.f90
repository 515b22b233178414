! vouch: run -n 2
! expect: error thread/collective @a
! flags: -fopenmp
! requires: threads
program collective
  use mpi_f08
  implicit none
  integer :: provided, x(2), me
  integer, external :: omp_get_thread_num
  x = 1
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  !$omp parallel num_threads(2) private(me)
  me = omp_get_thread_num() + 1
  call MPI_Bcast(x(me), 1, MPI_INTEGER, 0, MPI_COMM_WORLD)  ! @a
  !$omp end parallel
  call MPI_Finalize()
end program collective
