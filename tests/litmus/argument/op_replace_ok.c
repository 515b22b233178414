// vouch: run -n 2
// expect: clean
// [U10]: one-sided operations are seen but not checked yet, and the report says so.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int x = 1, old, room[16];
  MPI_Win win;
  MPI_Win_create(room, sizeof room, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_fence(0, win);
  MPI_Fetch_and_op(NULL, &old, MPI_INT, 1, 1, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
