// vouch: run -n 3
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm ring;
  int period = 1, from[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, 1, 0, ring, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, ring);
  if (rank == 1) MPI_Send(&y, 1, MPI_INT, 0, 0, ring);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
