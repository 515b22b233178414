// vouch: run -n 2
// expect: error rma/signature @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  int a[2] = {0}, old[2];
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Fetch_and_op(a, old, two, 1, 0, MPI_REPLACE, win);  // @a
  MPI_Win_unlock_all(win);
  MPI_Type_free(&two);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
