// vouch: run -n 2
// requires: openmpi
// expect: error rma/epoch-nested @a
// expect: warning leak/window @b
// A lock is never released: MPICH hangs in MPI_Finalize, Open MPI does not care.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);  // @b
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);  // @a
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  }
  MPI_Finalize();
  return 0;
}
