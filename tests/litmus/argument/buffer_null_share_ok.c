// vouch: run -n 3
// expect: clean
// MPI-4.1 6.10: the receive buffer holds the own share.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in[3] = {1, 1, 1}, out[3] = {0}, counts[3] = {0, 3, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* own = rank == 1 ? out : NULL;
  MPI_Reduce_scatter(in, own, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Ireduce_scatter(in, own, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Reduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
