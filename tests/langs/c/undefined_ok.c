// The undefined-behaviour sanitizer reports and lets the program go on.
// vouch: run -n 2
// expect: clean
// flags: -fsanitize=undefined
#include <limits.h>
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  volatile int most = INT_MAX;
  most = most + argc;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
