// vouch: run -n 3
// expect: clean
//
// Of rank 0 rank 2 gets an element.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sources[2] = {(rank + 1) % 3, (rank + 2) % 3}, targets[2] = {(rank + 1) % 3, (rank + 2) % 3};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &ring);
  int x[2] = {rank, rank}, y[2] = {0, 0}, displs[2] = {0, 1};
  // Only rank 0 sends anything.
  int in[2] = {sources[0] == 0, sources[1] == 0};
  int out[2] = {rank == 0, rank == 0};
  if (rank == 1) MPI_Send(x, 1, MPI_INT, 0, 5, ring);
  if (rank == 0) MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 5, ring, MPI_STATUS_IGNORE);
  MPI_Neighbor_alltoallv(x, out, displs, MPI_INT, y, in, displs, MPI_INT, ring);
  if (rank == 2) MPI_Send(x, 2, MPI_INT, 0, 5, ring);
  if (rank == 0) MPI_Recv(y, 2, MPI_INT, MPI_ANY_SOURCE, 5, ring, MPI_STATUS_IGNORE);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
