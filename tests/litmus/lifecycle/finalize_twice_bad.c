// vouch: run -n 1
// expect: error lifecycle/init-twice @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  MPI_Finalize();  // @a
  return 0;
}
