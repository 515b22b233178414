// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// A reduction over an inter-communicator needs both groups; the high one waits for a message first.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, one = 1, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int high = rank / 2;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, high, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : 2, 3, &inter);
  if (high) MPI_Recv(&sum, 1, MPI_INT, rank % 2, 0, inter, MPI_STATUS_IGNORE);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);  // @a
  if (!high) MPI_Send(&sum, 1, MPI_INT, rank % 2, 0, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
