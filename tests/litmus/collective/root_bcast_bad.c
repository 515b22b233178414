// vouch: run -n 3
// expect: error collective/root @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int value = rank;
  MPI_Bcast(&value, 1, MPI_INT, rank == 2 ? 2 : 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
