// vouch: run -n 3
// expect: clean
//
// Every pair of accesses that agrees, each at an element of its own: origin (o) and target (t) of Get
// and Put, reads and writes by the owner.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[128];
  int y[16] = {0};
  int z[32] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Get(&z[4], 1, MPI_INT, 1, 4, 1, MPI_INT, win);
  } else if (rank == 1) {
    MPI_Put(&memory[0], 1, MPI_INT, 0, 64, 1, MPI_INT, win);
    MPI_Put(&memory[0], 1, MPI_INT, 0, 65, 1, MPI_INT, win);
    MPI_Put(&memory[1], 1, MPI_INT, 0, 66, 1, MPI_INT, win);
    MPI_Put(&memory[2], 1, MPI_INT, 0, 69, 1, MPI_INT, win);
    MPI_Put(&memory[3], 1, MPI_INT, 0, 70, 1, MPI_INT, win);
    MPI_Allreduce(&memory[3], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Allreduce(&memory[5], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Allreduce(&memory[6], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Get(&memory[6], 1, MPI_INT, 0, 77, 1, MPI_INT, win);
    MPI_Allreduce(y, &memory[7], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Get(&memory[7], 1, MPI_INT, 0, 79, 1, MPI_INT, win);
    MPI_Allreduce(&memory[8], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Put(&memory[8], 1, MPI_INT, 0, 81, 1, MPI_INT, win);
    MPI_Allreduce(y, &memory[9], 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Put(&memory[9], 1, MPI_INT, 0, 83, 1, MPI_INT, win);
    MPI_Allreduce(&memory[10], y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  } else {
    MPI_Get(&z[1], 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Get(&z[2], 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Get(&z[4], 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    MPI_Get(&z[5], 1, MPI_INT, 1, 5, 1, MPI_INT, win);
    MPI_Get(&z[10], 1, MPI_INT, 1, 10, 1, MPI_INT, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
