// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, 0, &pair);
  // Rank 1 is no member.
  if (rank != 1) {
    MPI_Barrier(pair);
    MPI_Comm_free(&pair);
  }
  MPI_Finalize();
  return 0;
}
