// vouch: run -n 1
// expect: error lifecycle/no-finalize @a
// also: crash
// Its last MPI call is all that is known of where it ended.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  return 0;
}
