// vouch: run -n 1
// expect: clean
// [U10]: one-sided operations are seen but not checked yet, and the report says so.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {0};
  int* room;
  MPI_Win win;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_SELF, &room, &win);
  MPI_Win_fence(0, win);
  MPI_Put(x, 2, MPI_INT, 0, 0, 1, pair, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
