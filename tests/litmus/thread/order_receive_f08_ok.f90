! vouch: run -n 2
! expect: clean
! flags: -fopenmp
! requires: threads
! A tag for each thread of rank 1.
program order
  use mpi_f08
  implicit none
  integer :: provided, rank, x(2), me, i
  integer, external :: omp_get_thread_num
  x = 1
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 1) then
    !$omp parallel num_threads(2) private(me)
    me = omp_get_thread_num() + 1
    call MPI_Recv(x(me), 1, MPI_INTEGER, 0, 5 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    !$omp end parallel
  else
    do i = 1, 2
      call MPI_Send(x(i), 1, MPI_INTEGER, 1, 5 + i, MPI_COMM_WORLD)
    end do
  end if
  call MPI_Finalize()
end program order
