// vouch: run -n 4
// expect: error collective/constructor @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int dims[2] = {2, 2}, periods[2] = {0, 0};
  MPI_Comm grid;
  if (rank == 3) periods[1] = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);  // @a
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
