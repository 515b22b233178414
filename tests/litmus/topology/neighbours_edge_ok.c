// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int other = 1 - rank, x[3] = {1, 2, 3}, y[3], counts[1] = {2}, zero[1] = {0}, expected[1] = {2};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoallv(x, counts, zero, MPI_INT, y, expected, zero, MPI_INT, graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
