// vouch: run -n 2
// expect: error type/mismatch @a
// 13 bytes are one double and a part of one.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char text[13] = "hello, world";
  double values[4];
  if (rank == 0) {
    MPI_Send(text, 13, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, 4, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
