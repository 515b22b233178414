// vouch: run -n 2
// expect: clean
// [U38]: each rank has its own handle, and a derived type.
#include <mpi.h>

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  int* a = in;
  int* b = inout;
  for (int i = 0; i < 2 * *n; ++i) b[i] += a[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Op unused, op;
  if (rank == 1) MPI_Op_create(add, 0, &unused);
  MPI_Op_create(add, 1, &op);
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  int mine[4] = {rank, 1, 2, 3}, all[4];
  MPI_Allreduce(mine, all, 2, two, op, MPI_COMM_WORLD);
  MPI_Type_free(&two);
  MPI_Op_free(&op);
  if (rank == 1) MPI_Op_free(&unused);
  MPI_Finalize();
  return 0;
}
