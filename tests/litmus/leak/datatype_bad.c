// vouch: run -n 1
// expect: warning leak/datatype @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);  // @a
  MPI_Type_commit(&pair);
  MPI_Finalize();
  return 0;
}
