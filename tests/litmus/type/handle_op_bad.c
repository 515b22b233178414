// vouch: run -n 2
// expect: error type/handle @a
// also: crash
// The handle was freed before anything began: the library has passed another one.
#include <mpi.h>

static MPI_Datatype unused;
static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  int size;
  MPI_Type_size(unused, &size);  // @a
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &unused);
  MPI_Datatype copy = unused;
  MPI_Type_free(&copy);
  int rank, in = 1, out;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Reduce(&in, &out, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
