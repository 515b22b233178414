// vouch: run -n 1
// expect: error argument/constant @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, 42, &provided);  // @a
  MPI_Finalize();
  return 0;
}
