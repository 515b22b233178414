// vouch: run -n 2
// expect: clean
//
// MPI_Win_test has said that all is done.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Group peer;
  int flag = 0;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int peer_ranks[] = {1 - rank};
  MPI_Group_incl(all, 1, peer_ranks, &peer);
  if (rank == 1) {
    MPI_Win_post(peer, 0, win);
    while (!flag) MPI_Win_test(win, &flag);
    MPI_Allreduce(memory, y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  } else {
    MPI_Win_start(peer, 0, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&peer);
  MPI_Win_free(&win);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
