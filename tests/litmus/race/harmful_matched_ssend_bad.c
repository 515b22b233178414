// vouch: run -n 3
// expect: error race/message-harmful @a
// The matched message is received first: rank 1 may send on before the receive from any source.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0;
  if (rank == 0) {
    MPI_Message message;
    MPI_Mprobe(1, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(&y, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Ssend(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Recv(&y, 0, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Send(&x, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
