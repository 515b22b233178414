// vouch: run -n 3
// expect: error collective/type @a
// [U16]
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int values[10] = {0};
  MPI_Bcast(values, rank == 1 ? 9 : 10, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
