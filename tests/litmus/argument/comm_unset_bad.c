// vouch: run -n 1
// expect: error argument/communicator @a
// requires: mpich
// also: crash
// A handle that looks like one of a communicator: the library does not refuse it, a check of its own
// fails over it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = (MPI_Comm)0x44000123;
  MPI_Barrier(comm);  // @a
  MPI_Finalize();
  return 0;
}
