// vouch: run -n 1
// expect: error topology/size @a
// 5 does not divide 12.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int dims[2] = {5, 0};
  MPI_Dims_create(12, 2, dims);  // @a
  MPI_Finalize();
  return 0;
}
