// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// expect: error deadlock/wait-cycle @b
// exit: any
// The receives overlap, and they wait for messages that are sent too late: both have to be said.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int in[4], out[4];
  MPI_Request requests[2];
  MPI_Irecv(in, 2, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in + 1, 2, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);  // @a
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @b
  MPI_Send(out, 2, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  MPI_Send(out, 2, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
