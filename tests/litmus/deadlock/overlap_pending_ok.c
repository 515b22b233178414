// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int in[4], out[4];
  MPI_Request requests[2];
  MPI_Irecv(in, 2, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in + 2, 2, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(out, 2, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Send(out, 2, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
