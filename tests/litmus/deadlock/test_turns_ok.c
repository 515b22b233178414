// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 0, y = 0;
  MPI_Request requests[2];
  // Rank 0 asks in turn for what never comes and for what comes late.
  int flags[2] = {0, 0};
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    while (!flags[1]) {
      MPI_Test(&requests[0], &flags[0], MPI_STATUS_IGNORE);
      MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flags[1], MPI_STATUS_IGNORE);
      usleep(10000);
    }
    MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else {
    usleep(3000000);
    MPI_Send(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
