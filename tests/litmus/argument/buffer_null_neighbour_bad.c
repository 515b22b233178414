// vouch: run -n 2
// expect: error argument/buffer-null @a
// also: crash
// Rank 0 has one neighbour to receive from and none to send to.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int other = 1 - rank, x = rank, y = 0;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0, &other, MPI_UNWEIGHTED, rank == 1,
                                 &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, rank == 0 ? NULL : &y, 1, MPI_INT, graph);  // @a
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
