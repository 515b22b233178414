// vouch: run -n 3
// expect: clean
//
// Every other int, and the ints between them.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {1, 1, 1, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static char memory[64];
  MPI_Win win;
  MPI_Datatype every_other;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Accumulate(x, 4, MPI_INT, 1, 0, 1, every_other, MPI_SUM, win);
  if (rank == 2) MPI_Accumulate(x, 4, MPI_INT, 1, 4, 1, every_other, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Type_free(&every_other);
  MPI_Finalize();
  return 0;
}
