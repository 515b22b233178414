// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
// What the first pair of calls left behind breaks the second, which is correct.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[100] = {0}, y[100];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Bcast(x, 100, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  else
    MPI_Reduce(x, y, 100, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
