// Jacobi sweeps on a grid whose blocks of rows are in windows: each rank puts its first and last row into the halos of its
// neighbours.
//
//   halo fence|pscw|lock STEPS
// Rank 0 prints the sum of the grid, and the seconds of all steps.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { kColumns = 512, kRows = 256 };
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* how = argv[1];
  const int steps = atoi(argv[2]);
  const int up = (rank + 1) % ranks, down = (rank + ranks - 1) % ranks;
  double* grids[2];
  MPI_Win wins[2];
  for (int g = 0; g < 2; ++g) {
    MPI_Win_allocate((kRows + 2) * kColumns * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &grids[g], &wins[g]);
    for (int i = 0; i < (kRows + 2) * kColumns; ++i) grids[g][i] = rank + i % 17;
  }
  MPI_Group all, neighbours;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int members[2] = {up, down};
  MPI_Group_incl(all, up == down ? 1 : 2, members, &neighbours);
  MPI_Barrier(MPI_COMM_WORLD);
  const double started = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    double* old = grids[step % 2];
    double* new = grids[1 - step % 2];
    MPI_Win win = wins[step % 2];
    // Row 1 goes to the upper halo of the one below, the last row to the lower halo of the one above.
    if (strcmp(how, "fence") == 0) {
      MPI_Win_fence(0, win);
    } else if (strcmp(how, "pscw") == 0) {
      MPI_Win_post(neighbours, 0, win);
      MPI_Win_start(neighbours, 0, win);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Win_lock(MPI_LOCK_SHARED, down, 0, win);
    }
    MPI_Put(old + kColumns, kColumns, MPI_DOUBLE, down, (kRows + 1) * kColumns, kColumns, MPI_DOUBLE, win);
    if (strcmp(how, "lock") == 0) {
      MPI_Win_unlock(down, win);
      MPI_Win_lock(MPI_LOCK_SHARED, up, 0, win);
    }
    MPI_Put(old + kRows * kColumns, kColumns, MPI_DOUBLE, up, 0, kColumns, MPI_DOUBLE, win);
    if (strcmp(how, "fence") == 0) {
      MPI_Win_fence(0, win);
    } else if (strcmp(how, "pscw") == 0) {
      MPI_Win_complete(win);
      MPI_Win_wait(win);
    } else {
      MPI_Win_unlock(up, win);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 1; i <= kRows; ++i)
      for (int j = 1; j < kColumns - 1; ++j)
        new[i * kColumns + j] = 0.25 * (old[(i - 1) * kColumns + j] + old[(i + 1) * kColumns + j] + old[i * kColumns + j - 1] + old[i * kColumns + j + 1]);
  }
  const double seconds = MPI_Wtime() - started;
  double total = 0;
  for (int i = 0; i < (kRows + 2) * kColumns; ++i) total += grids[0][i];
  if (rank == 0) printf("total %.17g\nseconds %f\n", total, seconds);
  MPI_Group_free(&neighbours);
  MPI_Group_free(&all);
  for (int g = 0; g < 2; ++g) MPI_Win_free(&wins[g]);
  MPI_Finalize();
}
