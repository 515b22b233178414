// vouch: run -n 1
// expect: error crash/signal @a
// also: crash
// Dies inside the MPI call: a user op stores through a null pointer.
#include <mpi.h>

static void broken(void* in, void* inout, int* count, MPI_Datatype* type) {
  *(volatile int*)0 = 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op op;
  int a = 1, b = 2;
  MPI_Op_create(broken, 1, &op);
  MPI_Reduce_local(&a, &b, 1, MPI_INT, op);  // @a
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
