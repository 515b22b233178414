// vouch: run -n 4
// expect: clean
// MPI-4.1 5.1.9: the pending reduction goes on with the type; the operation is passed its handle (6.9.5).
#include <mpi.h>

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  int size, integers, addresses, types, combiner;
  MPI_Type_size(*type, &size);
  MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
  MPI_Datatype copy;
  MPI_Type_dup(*type, &copy);
  MPI_Type_free(&copy);
  if (integers == 1 && addresses == 0 && types == 1) {
    int count;
    MPI_Aint none;
    MPI_Datatype element;
    MPI_Type_get_contents(*type, 1, 0, 1, &count, &none, &element);
    MPI_Type_size(element, &integers);
  }
  for (int i = 0; i < *length * size / (int)sizeof(int); ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int in[2] = {1, 1}, out[2];
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Request request;
  MPI_Iallreduce(in, out, 1, pair, op, MPI_COMM_WORLD, &request);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return out[0] != 4;
}
