// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dims[1] = {1}, periods[1] = {1}, left, right;
  MPI_Comm line;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Cart_shift(line, 0, 1, &left, &right);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
