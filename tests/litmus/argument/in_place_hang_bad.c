// vouch: run -n 2
// expect: error argument/in-place @a
// also: crash
// A library may take it for a part that need not be sent: then the root waits forever.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, all[2] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
