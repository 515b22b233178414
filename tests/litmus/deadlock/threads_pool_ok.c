// vouch: run -n 2
// expect: clean
// flags: -fopenmp
// requires: threads
// In an OpenMP region one thread waits for a message while the one that sends it still computes.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(3)
  {
    int in, out = rank;
    const int other = 1 - rank;
    if (omp_get_thread_num() == 1) {
      MPI_Recv(&in, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (omp_get_thread_num() == 2) {
      for (const double end = omp_get_wtime() + 1; omp_get_wtime() < end;) continue;
      MPI_Send(&out, 1, MPI_INT, other, 7, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
