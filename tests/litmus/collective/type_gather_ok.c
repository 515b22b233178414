// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine[4] = {0}, all[16] = {0};
  int counts[3] = {1, 2, 3}, places[3] = {0, 4, 8};
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatterv(all, counts, places, MPI_INT, mine, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
