// vouch: run -n 3
// expect: clean
// [U18]: what stands beside a zero does not matter.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Only rank 0 gives something, to rank 1.
  int out[4] = {0}, in[4] = {0}, gives[3] = {0}, takes[3] = {0}, at[3] = {0};
  MPI_Datatype none[3] = {MPI_CHAR, MPI_SHORT, MPI_LONG};
  MPI_Datatype sends[3] = {MPI_CHAR, MPI_INT, MPI_FLOAT};
  MPI_Datatype receives[3] = {MPI_INT, MPI_DOUBLE, MPI_DOUBLE};
  if (rank == 0) gives[1] = 2;
  if (rank == 1) takes[0] = 2;
  MPI_Alltoallw(out, gives, at, rank == 0 ? sends : none, in, takes, at, rank == 1 ? receives : none, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
