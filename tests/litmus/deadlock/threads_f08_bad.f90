! vouch: run -n 2
! expect: error deadlock/wait-cycle @a @b
! flags: -fopenmp
! requires: threads
! Both threads of both processes receive, and nobody sends.
program threads
  use mpi_f08
  implicit none
  integer :: provided, rank, word
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  !$omp parallel sections num_threads(2) private(word)
  !$omp section
  call MPI_Recv(word, 1, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @a
  !$omp section
  call MPI_Recv(word, 1, MPI_INTEGER, 1 - rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)  ! @b
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD)
  !$omp end parallel sections
  call MPI_Finalize()
end program threads
