// vouch: run -n 1
// expect: error lifecycle/before-init @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &pair);  // @a
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
