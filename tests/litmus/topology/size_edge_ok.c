// vouch: run -n 2
// expect: clean
// [U42]: no nodes; edges to oneself and twice the same; a ring of one.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int index[2] = {2, 4}, edges[4] = {0, 1, 0, 0}, dims = 1, periodic = 1;
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Cart_create(MPI_COMM_SELF, 1, &dims, &periodic, 0, &graph);
  int x = 1, y[2];
  MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
