// vouch: run -n 2
// expect: clean
//
// Side by side, and once more after it was detached.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int memory[16];
  MPI_Win win, other;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
  MPI_Win_attach(win, memory, 8 * sizeof *memory);
  MPI_Win_attach(win, memory + 8, 8 * sizeof *memory);
  MPI_Win_attach(other, memory + 4, 8 * sizeof *memory);
  MPI_Win_detach(other, memory + 4);
  MPI_Win_detach(win, memory + 8);
  MPI_Win_detach(win, memory);
  MPI_Win_attach(win, memory + 4, 8 * sizeof *memory);
  MPI_Win_detach(win, memory + 4);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
