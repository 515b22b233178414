// vouch: run -n 2
// expect: clean
//
// What is only read may name a byte twice: the origin of a put, the target of a get.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[8] = {0}, places[2] = {0, 1}, apart[2] = {0, 2};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[32];
  MPI_Win win;
  MPI_Datatype twice, once;
  MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &twice);
  MPI_Type_create_indexed_block(2, 2, apart, MPI_INT, &once);
  MPI_Type_commit(&twice);
  MPI_Type_commit(&once);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, twice, 1, 0, 1, once, win);
    MPI_Get(x + 4, 4, MPI_INT, 1, 8, 1, twice, win);
    MPI_Accumulate(x, 1, twice, 1, 16, 1, once, MPI_SUM, win);
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&twice);
  MPI_Type_free(&once);
  MPI_Finalize();
  return 0;
}
