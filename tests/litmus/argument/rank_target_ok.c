// vouch: run -n 2
// expect: clean
// [U10]: one-sided operations are seen but not checked yet, and the report says so.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x = 1, room[16];
  MPI_Win win;
  MPI_Win_create(room, sizeof room, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_INT, rank == 0 ? 1 : MPI_PROC_NULL, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
