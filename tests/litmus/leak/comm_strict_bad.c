// vouch: run -n 1 --strict
// expect: error leak/communicator @a
// U11: --strict lifts a warning to an error.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);  // @a
  MPI_Finalize();
  return 0;
}
