// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// The library may read the counts until the operation is complete.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, mine = 1, all[2], counts[2] = {1, 1}, displs[2] = {0, 1};
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Iallgatherv(&mine, 1, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 7, &counts[1], 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD,  // @a
               MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
