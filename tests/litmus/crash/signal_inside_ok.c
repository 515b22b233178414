// vouch: run -n 1
// expect: clean
#include <mpi.h>

static void keep(void* in, void* inout, int* count, MPI_Datatype* type) {
  *(volatile int*)inout = *(int*)in;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op op;
  int a = 1, b = 2;
  MPI_Op_create(keep, 1, &op);
  MPI_Reduce_local(&a, &b, 1, MPI_INT, op);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
