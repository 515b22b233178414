// vouch: run -n 1 --strict
// expect: warning leak/communicator @a
// verdict: error
// [U11]: --strict lifts warnings to errors for the verdict and the exit status.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);  // @a
  MPI_Finalize();
  return 0;
}
