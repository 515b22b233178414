// vouch: run -n 3
// expect: error collective/type @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double mine[4] = {0}, all[4] = {0};
  MPI_Reduce(mine, all, rank == 1 ? 1 : 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
