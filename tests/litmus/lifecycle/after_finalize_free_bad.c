// vouch: run -n 1
// expect: error lifecycle/after-finalize @a
// also: crash
// What it would make is no leak as well.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);  // @a
  return 0;
}
