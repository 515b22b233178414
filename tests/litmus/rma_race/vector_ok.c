// vouch: run -n 3
// expect: clean
//
// Even and odd elements: the extents overlap, the bytes do not.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Datatype type;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Type_vector(4, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(x, 1, type, 1, 0, 1, type, win);
  } else if (rank == 2) {
    MPI_Put(x, 1, type, 1, 1, 1, type, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Type_free(&type);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
