// vouch: run -n 2
// expect: error rma/race @a @b
//
// The program has said that it needs no order.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &win);
  MPI_Info_free(&info);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Accumulate(x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);  // @a
    MPI_Accumulate(x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);  // @b
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
