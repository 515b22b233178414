// vouch: run -n 2
// expect: clean
// A pair type is one type.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  struct { float f; int i; } s = {0};
  MPI_Datatype mixed = MPI_FLOAT_INT;
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Accumulate(&s, 1, mixed, 1, 0, 1, mixed, MPI_MAXLOC, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
