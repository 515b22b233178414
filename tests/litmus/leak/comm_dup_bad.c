// vouch: run -n 2
// expect: warning leak/communicator @a
// [U28]: two made here, one of them freed.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comms[2];
  for (int i = 0; i < 2; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);  // @a
  MPI_Comm_free(&comms[0]);
  MPI_Finalize();
  return 0;
}
