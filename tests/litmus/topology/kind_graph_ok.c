// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int index[2] = {1, 2}, edges[2] = {1, 0}, nodes, count;
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
  MPI_Graphdims_get(graph, &nodes, &count);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
