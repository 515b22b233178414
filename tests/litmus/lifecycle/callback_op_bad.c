// vouch: run -n 1
// expect: error lifecycle/callback @a
// A user-defined operation must not communicate.
#include <mpi.h>

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  for (int i = 0; i < *count; i++) ((int*)inout)[i] += ((int*)in)[i];
  MPI_Barrier(MPI_COMM_SELF);  // @a
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  int a = 1, b = 2;
  MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
