// vouch: run -n 1
// expect: clean
#include <mpi.h>

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) { *(int*)inout += *(int*)in; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(sum, 1, &op);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
