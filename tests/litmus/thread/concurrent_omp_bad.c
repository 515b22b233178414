// vouch: run -n 2
// expect: error thread/concurrent @a
// flags: -fopenmp
// requires: threads
// Each thread of a team exchanges with its partner; at the level SERIALIZED two are inside at once.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(3)
  {
    int x = rank;
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, omp_get_thread_num(), MPI_COMM_WORLD);  // @a
  }
  MPI_Finalize();
  return 0;
}
