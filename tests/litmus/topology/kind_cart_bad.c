// vouch: run -n 1
// expect: error topology/kind @a
// expect: error topology/kind @b
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int source, dest, dims;
  MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &source, &dest);  // @a
  MPI_Cartdim_get(MPI_COMM_WORLD, &dims);  // @b
  MPI_Finalize();
  return 0;
}
