// vouch: run -n 3
// expect: error collective/mismatch @a
// also: crash
// Ranks 1 and 2 broadcast in the second pair, and rank 0 alone in the first one; then all free them.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm low, high;  // ranks 0,1 and ranks 1,2
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &low);
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, rank, &high);
  MPI_Request request;
  MPI_Ibcast(&value, 1, MPI_INT, 0, rank == 0 ? low : high, &request);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (low != MPI_COMM_NULL) MPI_Comm_free(&low);
  if (high != MPI_COMM_NULL) MPI_Comm_free(&high);
  MPI_Finalize();
  return 0;
}
