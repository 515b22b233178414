// vouch: run -n 4
// expect: clean
//
// Each stage passes on what it was given, item after item.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Group left, right;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int left_ranks[] = {(rank + 3) % 4};
  MPI_Group_incl(all, 1, left_ranks, &left);
  int right_ranks[] = {(rank + 1) % 4};
  MPI_Group_incl(all, 1, right_ranks, &right);
  for (int i = 0; i < 4; i++) {
    if (rank == 0) {
      x[0] = i + 1;
    } else {
      MPI_Win_post(left, 0, win);
      MPI_Win_wait(win);
      x[0] = memory[0] + 1;
    }
    if (rank < 3) {
      MPI_Win_start(right, 0, win);
      MPI_Put(x, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, win);
      MPI_Win_complete(win);
    } else if (memory[0] != i + 3) {
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Group_free(&left);
  MPI_Group_free(&right);
  MPI_Win_free(&win);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
