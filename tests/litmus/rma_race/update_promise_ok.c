// vouch: run -n 3
// expect: clean
//
// The window promises that updates of a location have one operation, or MPI_NO_OP.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, y;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  MPI_Win win;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ops", "same_op_no_op");
  MPI_Win_create(memory, sizeof memory, sizeof(int), info, MPI_COMM_WORLD, &win);
  MPI_Info_free(&info);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Accumulate(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
  if (rank == 2) MPI_Fetch_and_op(&x, &y, MPI_INT, 1, 0, MPI_NO_OP, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
