// vouch: run -n 2
// expect: clean
// Asking is always allowed; duplicates and slices keep the topology.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int source, dest, status, dims[2] = {2, 1}, periods[2] = {0, 0}, keep[2] = {1, 0};
  MPI_Comm cart, twin, line;
  MPI_Topo_test(MPI_COMM_WORLD, &status);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  MPI_Comm_dup(cart, &twin);
  MPI_Cart_shift(twin, 1, 1, &source, &dest);
  MPI_Cart_sub(cart, keep, &line);
  MPI_Cart_shift(line, 0, 1, &source, &dest);
  MPI_Comm_free(&line);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
