// vouch: run -n 3
// expect: clean
//
// MPI_Comm_dup waits for all.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {rank, rank}, y[2] = {0, 0};
  if (rank == 1) {
    MPI_Send(x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(x, 0, MPI_INT, 2, 6, MPI_COMM_WORLD);
  }
  if (rank == 0) MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Most likely rank 1's other message is there by now.
  if (rank == 2) MPI_Recv(y, 0, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 2) MPI_Send(x, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(y, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
