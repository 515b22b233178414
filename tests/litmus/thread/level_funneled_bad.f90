! vouch: run -n 1
! expect: error thread/level @a
! flags: -fopenmp
! requires: threads
program funneled
  use mpi_f08
  implicit none
  integer :: provided, x
  x = 1
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  !$omp parallel num_threads(2)
  !$omp barrier
  if (is_second()) call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD)  ! @a
  !$omp end parallel
  call MPI_Finalize()
contains
  logical function is_second()
    use omp_lib
    is_second = omp_get_thread_num() == 1
  end function is_second
end program funneled
