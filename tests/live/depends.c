// predict: -n 3
// refuted: deadlock/
// verdict: inconclusive
// Rank 0 asks each of the two others once, whoever came first. From one run alone the second receive looks as if it always named
// rank 1, and that could wait forever; a replay shows that it does not.
#include <mpi.h>

enum { DATA = 1, READY = 2, GO = 3 };

int main(int argc, char** argv) {
  int rank, x = 0;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, 2, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, GO, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, &status);
    MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD);
  } else if (rank == 2) {
    MPI_Send(&x, 1, MPI_INT, 0, READY, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
