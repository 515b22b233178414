// vouch: run -n 3
// expect: error collective/mismatch @a
// expect: warning leak/communicator @b
// expect: warning leak/communicator @c
// also: crash
// Rank 1 broadcasts in the second pair, where rank 0 needs it in the first one.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm low, high;  // ranks 0,1 and ranks 1,2
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &low);   // @b
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, rank, &high);  // @c
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank < 2) MPI_Ibcast(&value, 1, MPI_INT, 0, rank == 0 ? low : high, &request);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
