// vouch: run -n 2
// expect: error type/overlap @a
// expect: error type/overlap @b
// expect: error type/overlap @c
//
// MPI-4.1 12.3: the layout of what is written names no byte twice: the target of a put and of an
// update, the origin of a get.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[8] = {0}, places[2] = {0, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[32];
  MPI_Win win;
  MPI_Datatype twice;
  MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &twice);
  MPI_Type_commit(&twice);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Put(x, 4, MPI_INT, 1, 0, 1, twice, win);  // @a
    MPI_Get(x + 4, 1, twice, 1, 8, 4, MPI_INT, win);  // @b
    MPI_Accumulate(x, 4, MPI_INT, 1, 16, 1, twice, MPI_SUM, win);  // @c
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&twice);
  MPI_Finalize();
  return 0;
}
