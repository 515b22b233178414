// vouch: run -n 2
// expect: error rma/window @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  win = MPI_WIN_NULL;
  MPI_Win_fence(0, win);  // @a
  MPI_Finalize();
  return 0;
}
