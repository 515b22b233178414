// vouch: run -n 2
// expect: clean
// Nothing of the origin counts.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int old[2], other;
  MPI_Win_lock_all(0, win);
  MPI_Get_accumulate(x, 3, MPI_FLOAT, old, 2, MPI_INT, 1 - rank, 0, 2, MPI_INT, MPI_NO_OP, win);
  MPI_Fetch_and_op(NULL, &other, MPI_INT, 1 - rank, 0, MPI_NO_OP, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
