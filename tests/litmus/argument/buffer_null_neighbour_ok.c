// vouch: run -n 2
// expect: clean
// requires: openmpi
// Without neighbours there is no block. MPICH asks for a buffer all the same.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // 1 sends to 0, and that is all.
  int other = 1 - rank;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0, &other, MPI_UNWEIGHTED, rank == 1,
                                 &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  int x = rank, y = 0, one = 1, zero = 0;
  int* sent = rank == 1 ? &x : NULL;
  int* received = rank == 0 ? &y : NULL;
  MPI_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
  MPI_Neighbor_allgatherv(sent, 1, MPI_INT, received, &one, &zero, MPI_INT, graph);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
  MPI_Neighbor_alltoallv(sent, &one, &zero, MPI_INT, received, &one, &zero, MPI_INT, graph);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return rank == 0 && y != 1;
}
