// vouch: run -n 2
// expect: clean
// flags: -fopenmp
// requires: threads
// The send needs the critical region, the receive that waits does not.
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>

int main(int argc, char** argv) {
  int provided, rank, in = 0, out = 1;
  atomic_int inside = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      inside = 1;
      MPI_Recv(&in, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      while (!inside) continue;
#pragma omp critical
      MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
