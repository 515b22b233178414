// vouch: run -n 1
// expect: clean
// A user-defined op on a derived type with holes.
#include <mpi.h>

static void first(void* in, void* inout, int* count, MPI_Datatype* type) {
  ((int*)inout)[0] = ((int*)in)[0];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[3] = {1, 2, 3}, y[3] = {0};
  MPI_Datatype ends;
  MPI_Op op;
  MPI_Type_vector(2, 1, 2, MPI_INT, &ends);
  MPI_Type_commit(&ends);
  MPI_Op_create(first, 0, &op);
  MPI_Reduce_local(x, y, 1, ends, op);
  MPI_Allreduce(x, y, 1, ends, op, MPI_COMM_SELF);
  MPI_Op_free(&op);
  MPI_Type_free(&ends);
  MPI_Finalize();
  return 0;
}
