// vouch: run -n 3
// expect: clean
// Each pair has its broadcast, at one line; rank 1 is in both.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm pair[2];  // ranks 0,1 and ranks 1,2
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair[0]);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, rank, &pair[1]);
  for (int i = 0; i < 2; ++i) {
    if (pair[i] == MPI_COMM_NULL) continue;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, 0, pair[i], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair[i]);
  }
  MPI_Finalize();
  return 0;
}
