// vouch: run -n 2
// expect: clean
//
// Displacements of a dynamic window are addresses.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int y[16] = {0};
  MPI_Aint place;
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, memory, sizeof memory);
  MPI_Get_address(&memory[rank], &place);
  MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 0) MPI_Put(x, 1, MPI_INT, 1, place, 1, MPI_INT, win);
  if (rank == 1) MPI_Allreduce(y, memory, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
