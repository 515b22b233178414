// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// Before it.
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
  if (rank == 0) {
    mine[1] = 7;
    __atomic_store_n(&mine[0], 1, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(&other[0], __ATOMIC_ACQUIRE) == 0) continue;
    y[0] = other[1];
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
