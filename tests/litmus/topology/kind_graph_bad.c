// vouch: run -n 1
// expect: error topology/kind @a
// also: crash
// A Cartesian communicator is no graph.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int one = 1, nodes, edges;
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &cart);
  MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
  MPI_Graphdims_get(cart, &nodes, &edges);  // @a
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
