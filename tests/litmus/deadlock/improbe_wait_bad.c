// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
// A long message that MPI_Improbe has matched: its send is complete only once it is received.
#include <mpi.h>

enum { N = 1 << 20 };
static int big[N];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Message message;
  MPI_Status status;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(big, N, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @a
    MPI_Send(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  } else {
    int there = 0;
    while (!there) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    MPI_Recv(&x, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &status);
    MPI_Mrecv(big, N, MPI_INT, &message, &status);
  }
  MPI_Finalize();
  return 0;
}
