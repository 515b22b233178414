// vouch: run -n 2
// expect: error deadlock/finished-rank @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Message message;
  MPI_Status status;
  if (rank == 0) {
    MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&x, 1, MPI_INT, &message, &status);
    MPI_Recv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);  // @a
  } else {
    MPI_Send(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
