// vouch: run -n 2
// expect: clean
// Rank 1 says that its memory is not put to in one of two epochs.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Group world, other;
  const int peer = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &peer, &other);
  for (int i = 0; i < 2; ++i) {
    if (rank == 1) {
      MPI_Win_post(other, i == 0 ? MPI_MODE_NOPUT : 0, win);
      MPI_Win_wait(win);
    } else {
      MPI_Win_start(other, 0, win);
      if (i == 0) MPI_Get(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
      if (i == 1) MPI_Accumulate(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
      MPI_Win_complete(win);
    }
  }
  MPI_Group_free(&world);
  MPI_Group_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
