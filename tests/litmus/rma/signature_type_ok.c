// vouch: run -n 2
// expect: clean
// Layouts may differ.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Datatype pair;
  MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(x, 2, MPI_INT, 1, 0, 1, pair, win);
  MPI_Win_fence(0, win);
  MPI_Type_free(&pair);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
