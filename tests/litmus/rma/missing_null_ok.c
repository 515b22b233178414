// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Put(x, 1, MPI_INT, MPI_PROC_NULL, 99, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Get(x, 1, MPI_INT, MPI_PROC_NULL, 99, 2, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
