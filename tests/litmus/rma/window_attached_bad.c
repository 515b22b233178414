// vouch: run -n 2
// expect: error rma/window @a
// also: crash
//
// MPI-4.1 12.2.4: what is attached must not hold a part of what is attached already.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int memory[16];
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, memory, 8 * sizeof *memory);
  MPI_Win_attach(win, memory + 4, 8 * sizeof *memory);  // @a
  MPI_Win_detach(win, memory + 4);
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
