// vouch: run -n 2
// expect: error rma/race @a @b
// compile: vouch cc
//
// Each process stores the edge of its part into the halo of the other one, who reads its own without
// waiting.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Win win;
  int* mine;
  int* other;
  MPI_Aint bytes;
  int unit;
  MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_shared_query(win, 1 - rank, &bytes, &unit, &other);
  MPI_Win_lock_all(0, win);
  for (int step = 0; step < 3; step++) {
    for (int i = 1; i < 7; i++) mine[i] = step + i;
    other[rank == 0 ? 0 : 7] = mine[rank == 0 ? 6 : 1];  // @a
    y[step] = mine[rank == 0 ? 7 : 0];  // @b
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
