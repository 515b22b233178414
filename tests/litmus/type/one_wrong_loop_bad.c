// vouch: run -n 2
// expect: error type/mismatch @a
// The loop takes the wrong table of types: other types each time, but one line and one mistake.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype sent[] = {MPI_INT, MPI_LONG, MPI_SHORT};
  MPI_Datatype received[] = {MPI_FLOAT, MPI_DOUBLE, MPI_CHAR};
  static long buffer[4];
  for (i = 0; i < 3; ++i) {
    if (rank == 0)
      MPI_Send(buffer, 1, sent[i], 1, i, MPI_COMM_WORLD);
    else
      MPI_Recv(buffer, 8, received[i], 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
