// vouch: run -n 3
// expect: error rma/race @a @a
//
// The parts of the target share an element.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int i = 0; i < 50; i++) {
    MPI_Put(x, 1, MPI_INT, 1, rank * 3 + i % 4, 1, MPI_INT, win);  // @a
    MPI_Win_flush(1, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
