! vouch: run -n 2
! expect: clean
! flags: -fopenmp
! requires: threads
program collective
  use mpi_f08
  implicit none
  integer :: provided, x(2), me
  type(MPI_Comm) :: comms(2)
  integer, external :: omp_get_thread_num
  x = 1
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_dup(MPI_COMM_WORLD, comms(1))
  call MPI_Comm_dup(MPI_COMM_WORLD, comms(2))
  !$omp parallel num_threads(2) private(me)
  me = omp_get_thread_num() + 1
  call MPI_Bcast(x(me), 1, MPI_INTEGER, 0, comms(me))
  !$omp end parallel
  call MPI_Comm_free(comms(1))
  call MPI_Comm_free(comms(2))
  call MPI_Finalize()
end program collective
