// vouch: run --check-buffers -n 2
// expect: error buffer/bounds @a
// also: crash
// The message runs over the end of its block; what the heap does with that is a consequence.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int many[4096];
  int* small[8];
  memset(many, 0xff, sizeof many);
  for (int i = 0; i < 8; ++i) small[i] = malloc(24);
  MPI_Sendrecv(many, 256, MPI_INT, 0, 7, small[0], 256, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);  // @a
  for (int i = 0; i < 8; ++i) free(small[i]);
  MPI_Finalize();
  return 0;
}
