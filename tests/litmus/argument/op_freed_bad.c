// vouch: run -n 1
// expect: error argument/op @a
// also: crash
#include <mpi.h>

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) { *(int*)inout += *(int*)in; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y = 0;
  MPI_Op op, copy;
  MPI_Op_create(sum, 1, &op);
  copy = op;
  MPI_Op_free(&op);
  MPI_Reduce_local(&x, &y, 1, MPI_INT, copy);  // @a
  MPI_Finalize();
  return 0;
}
