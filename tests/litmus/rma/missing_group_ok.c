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
  MPI_Group all, one;
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, 1, (int[]){1 - rank}, &one);
  MPI_Group_free(&all);
  MPI_Win_post(one, 0, win);
  MPI_Win_start(one, 0, win);
  MPI_Group_free(&one);
  MPI_Put(x, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
