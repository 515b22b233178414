// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int zero = 0, one = 1;
  MPI_Comm graph;
  int in = rank == 1 ? 1 : 0, out = rank == 0 ? 1 : 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, &zero, MPI_UNWEIGHTED, out, &one, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
