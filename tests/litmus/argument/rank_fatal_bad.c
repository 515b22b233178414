// vouch: run -n 2
// expect: error argument/rank @a
// also: crash
// [U7]: the library stops the job at this very call; the finding is kept, and nothing is said about rank 1.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1;
  MPI_Request request;
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 8, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 99, 7, MPI_COMM_WORLD);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
