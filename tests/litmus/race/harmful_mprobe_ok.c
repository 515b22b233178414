// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0;
  if (rank == 0) {
    // Whoever comes first, then the other one: the status tells which.
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 3 - status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&y, 1, MPI_INT, &message, &status);
    MPI_Recv(&y, 1, MPI_INT, 3 - status.MPI_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
