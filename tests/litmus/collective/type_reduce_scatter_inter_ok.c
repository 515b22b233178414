// vouch: run -n 4
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank / 2 == 0 ? 2 : 0, 5, &inter);
  int counts[2] = {1, 3}, x[8] = {0}, y[8];
  if (rank / 2 == 1) counts[0] = 3, counts[1] = 1;
  MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
