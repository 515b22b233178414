// vouch: run -n 3
// expect: clean
//
// Two origins, one after the other.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Group first, second, targets;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  int targets_ranks[] = {1};
  MPI_Group_incl(all, 1, targets_ranks, &targets);
  int first_ranks[] = {0};
  MPI_Group_incl(all, 1, first_ranks, &first);
  int second_ranks[] = {2};
  MPI_Group_incl(all, 1, second_ranks, &second);
  if (rank == 1) {
    MPI_Win_post(first, 0, win);
    MPI_Win_wait(win);
    MPI_Win_post(second, 0, win);
    MPI_Win_wait(win);
  } else {
    MPI_Win_start(targets, 0, win);
    MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&targets);
  MPI_Group_free(&first);
  MPI_Group_free(&second);
  MPI_Win_free(&win);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
