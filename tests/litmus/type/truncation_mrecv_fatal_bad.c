// vouch: run -n 2
// expect: error type/truncation @a
// also: crash
// The message was matched by a probe; the library stops the process in the receive that is too short.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[2] = {1, 2};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
