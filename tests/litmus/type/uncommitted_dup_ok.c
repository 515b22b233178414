// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {0};
  MPI_Datatype pair, again;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_dup(pair, &again);
  MPI_Bcast(x, 1, again, 0, MPI_COMM_SELF);
  MPI_Type_free(&again);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
