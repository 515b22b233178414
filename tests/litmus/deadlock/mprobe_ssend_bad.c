// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
// A matched message is not received yet: MPI_Ssend returns only once MPI_Mrecv is called.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Message message;
  MPI_Status status;
  if (rank == 0) {
    MPI_Ssend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @a
    MPI_Send(&y, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  } else {
    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Recv(&y, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &status);
    MPI_Mrecv(&x, 1, MPI_INT, &message, &status);
  }
  MPI_Finalize();
  return 0;
}
