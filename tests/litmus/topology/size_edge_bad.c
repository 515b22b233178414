// vouch: run -n 2
// expect: error topology/size @a
// also: crash
// An edge to a node that does not exist.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int index[2] = {1, 2}, edges[2] = {1, 5};
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);  // @a
  MPI_Finalize();
  return 0;
}
