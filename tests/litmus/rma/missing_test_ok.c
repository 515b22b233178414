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
  int flag = 0;
  MPI_Group all;
  MPI_Win_get_group(win, &all);
  MPI_Win_post(all, MPI_MODE_NOSTORE, win);
  MPI_Win_start(all, 0, win);
  MPI_Accumulate(x, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_complete(win);
  while (!flag) MPI_Win_test(win, &flag);
  MPI_Group_free(&all);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
