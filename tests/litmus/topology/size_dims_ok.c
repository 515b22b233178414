// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dims[3] = {0, 3, 0};
  MPI_Dims_create(12, 3, dims);
  MPI_Finalize();
  return 0;
}
