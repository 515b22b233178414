// vouch: run -n 3
// expect: clean
//
// A block of two by two in the upper right, and the left of the third row.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int sizes[] = {4, 4}, sub[] = {2, 2}, start[] = {0, 2};
  MPI_Datatype type;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Type_create_subarray(2, sizes, sub, start, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 0, 1, type, win);
  if (rank == 2) MPI_Put(x, 2, MPI_INT, 1, 8, 2, MPI_INT, win);
  MPI_Win_unlock_all(win);
  MPI_Type_free(&type);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
