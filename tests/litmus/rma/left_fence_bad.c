// vouch: run -n 2
// expect: error rma/epoch-nested @a
// also: crash
// expect: warning leak/window @b [openmpi]
// No fence follows the one after which data were moved.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);  // @b
  MPI_Win_fence(0, window);  // @a
  MPI_Put(&x, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
  MPI_Finalize();
  return 0;
}
