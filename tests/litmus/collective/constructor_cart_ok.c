// vouch: run -n 4
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int dims[2] = {2, 2}, periods[2] = {0, 1}, keep[2] = {1, 0};
  double out[4] = {0}, in[4] = {0};
  MPI_Comm grid, column;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &column);
  MPI_Neighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, grid);
  MPI_Barrier(column);
  MPI_Comm_free(&column);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
