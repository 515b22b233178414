// predict: -n 4
// flags: -I{api}
// verdict: clean
// Pi by chance: the manager hands a seed to each worker, takes the counts in any order, and asserts what is true of each.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <vouch.h>

enum { DARTS = 20000 };

static int throw_darts(unsigned seed) {
  int hits = 0;
  for (int i = 0; i < DARTS; ++i) {
    const double x = rand_r(&seed) / (RAND_MAX + 1.0), y = rand_r(&seed) / (RAND_MAX + 1.0);
    hits += x * x + y * y < 1;
  }
  return hits;
}

int main(int argc, char** argv) {
  int rank, size, seed = 0, hits, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int p = 1; p < size; ++p) {
      seed = 12345 + p;
      MPI_Send(&seed, 1, MPI_INT, p, 1, MPI_COMM_WORLD);
    }
    for (int p = 1; p < size; ++p) {
      MPI_Recv(&hits, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      VOUCH_ASSERT(hits > 0 && hits <= 20000, hits);
      all += hits;
    }
  } else {
    MPI_Recv(&seed, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hits = throw_darts((unsigned)seed);
    MPI_Send(&hits, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%f\n", 4.0 * all / DARTS / (size - 1));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
