// vouch: run -n 2
// expect: clean
// exit: 5
// A status of failure after MPI_Finalize is the program's own answer. A launcher may end the other
// rank because of it, which is still in MPI_Finalize: nothing of it is unknown.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 5;
}
