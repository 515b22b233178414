// vouch: run -n 1
// expect: info lifecycle/before-init @a
// requires: openmpi
// MPI_Wtime is not on the list of calls for any time, but harmless: information. (MPICH ends the program.)
#include <mpi.h>

int main(int argc, char** argv) {
  double start = MPI_Wtime();  // @a
  MPI_Init(&argc, &argv);
  double end = MPI_Wtime();
  MPI_Finalize();
  return end == -1 && start == -1;
}
