// vouch: run -n 3
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // A ring of directed edges: each sends to its right neighbour.
  MPI_Comm ring;
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, right, 0, ring, MPI_STATUS_IGNORE);  // @a
  MPI_Neighbor_allgather(&x, 1, MPI_INT, &y, 1, MPI_INT, ring);
  if (rank == 1) MPI_Send(&y, 1, MPI_INT, left, 0, ring);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
