// predict: -n 3
// finds: race/message-harmful|type/truncation shown
// verdict: error
// If rank 2's message comes first it does not fit. A replay that was to show a deadlock, that the second receive waits
// for a message which is taken, ends in that: it confirms what the run could only warn of.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, x = 0, four[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(four, 4, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  } else {
    usleep(300000);  // works first; whether that helps does not matter to the verdict
    MPI_Send(four, 4, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
