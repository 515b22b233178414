// vouch: run -n 1
// expect: warning leak/communicator @a
// exit: 5
// [U11]: a warning leaves the program's exit status alone.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);  // @a
  MPI_Finalize();
  return 5;
}
