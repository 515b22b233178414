// vouch: run -n 1
// expect: error lifecycle/before-init @a
// also: crash
// The library stops the program itself: the finding survives.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // @a
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
