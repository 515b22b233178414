// vouch: run -n 4
// expect: error rma/race @a @b
// requires: mpich
//
// Windows of two communicators over the same memory. (Open MPI 4.1.4 at times hangs or fails with
// windows that disjoint communicators make at once.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  // Open MPI 4.1.4 refuses a window of one process: the others are a pair too.
  MPI_Comm back;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == 3, rank, &back);
  MPI_Win other;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, back, &other);
  MPI_Win_fence(0, win);
  MPI_Win_fence(0, other);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, other);  // @b
  MPI_Win_fence(0, other);
  MPI_Win_fence(0, win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Comm_free(&back);
  MPI_Finalize();
  return 0;
}
