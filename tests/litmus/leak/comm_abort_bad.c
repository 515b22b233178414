// vouch: run -n 1
// expect: error crash/abort @a
// also: crash
// After an abnormal end nothing is called a leak.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Abort(MPI_COMM_WORLD, 2);  // @a
  return 0;
}
