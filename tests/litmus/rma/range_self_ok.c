// vouch: run -n 2
// expect: clean
// requires: mpich
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, rank == 0 ? 8 : 64, 4, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Put(x, 1, MPI_INT, 0, rank == 0 ? 1 : 15, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
