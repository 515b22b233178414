// vouch: run -n 2
// expect: error argument/communicator @a
// also: crash
// No call has made this communicator: the library says so, or crashes.
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  memset(&comm, 0x11, sizeof comm);
  MPI_Barrier(comm);  // @a
  MPI_Finalize();
  return 0;
}
