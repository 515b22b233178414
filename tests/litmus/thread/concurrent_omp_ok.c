// vouch: run -n 2
// expect: clean
// flags: -fopenmp
// requires: threads
// MPI_THREAD_SERIALIZED: a critical section, a single, a master after a barrier.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, rank, y = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(3)
  {
    int x = rank;
    for (int i = 0; i < 20; i++) {
#pragma omp critical
      MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, omp_get_thread_num(), MPI_COMM_WORLD);
    }
#pragma omp barrier
#pragma omp single
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp master
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
