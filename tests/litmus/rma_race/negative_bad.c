// vouch: run -n 3
// expect: error rma/race @a @b
//
// A type that goes backwards: elements 4, 2 and 0.
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
  MPI_Type_create_hvector(3, 1, -2 * (MPI_Aint)sizeof(int), MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Put(x, 3, MPI_INT, 1, 4, 1, type, win);  // @a
  if (rank == 2) MPI_Put(x, 1, MPI_INT, 1, 2, 1, MPI_INT, win);  // @b
  MPI_Win_unlock_all(win);
  MPI_Type_free(&type);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
