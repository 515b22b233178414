// vouch: run -n 2
// expect: clean
// Only holes lie outside.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Datatype vector, holes;
  MPI_Type_vector(4, 1, 4, MPI_INT, &vector);
  MPI_Type_create_resized(vector, -64, 256, &holes);
  MPI_Type_commit(&holes);
  MPI_Type_free(&vector);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 3, 1, holes, win);
  MPI_Win_fence(0, win);
  MPI_Type_free(&holes);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
