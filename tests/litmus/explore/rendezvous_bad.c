// vouch: explore -n 3
// expect: error deadlock/wait-cycle @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  enum { kMany = 4 << 20 };
  static char x[kMany];
  if (rank == 0) {
    MPI_Recv(x, kMany, MPI_BYTE, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(x, kMany, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(x, kMany, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_BYTE, 2, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(x, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, kMany, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
