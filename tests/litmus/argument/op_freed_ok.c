// vouch: run -n 2
// expect: clean
// [U22]: freed while a nonblocking reduction with it is pending.
#include <mpi.h>

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) { *(int*)inout += *(int*)in; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0;
  MPI_Op op;
  MPI_Request request;
  MPI_Op_create(sum, 1, &op);
  MPI_Iallreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
  MPI_Op_free(&op);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
