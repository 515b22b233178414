// vouch: run -n 2
// expect: clean
// What MPI_Mprobe has matched is received by its handle, a second message by source and tag. Only
// MPI_Mrecv lets the first send end.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Message message;
  MPI_Status status;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Send(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Recv(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);
  } else {
    MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, &status);
    MPI_Recv(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
    MPI_Mrecv(&x, 1, MPI_INT, &message, &status);
    MPI_Send(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
