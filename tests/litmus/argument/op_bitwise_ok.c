// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  unsigned x = 1, y;
  MPI_Allreduce(&x, &y, 1, MPI_UNSIGNED, MPI_BAND, MPI_COMM_SELF);
  MPI_Finalize();
  return 0;
}
