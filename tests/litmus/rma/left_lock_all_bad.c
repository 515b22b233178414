// vouch: run -n 2
// expect: error rma/epoch-nested @a
// also: crash
// expect: warning leak/window @b [openmpi]
// Every process has locked all others when MPI ends.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);  // @b
  MPI_Win_lock_all(0, window);  // @a
  if (rank == 0) {
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  }
  MPI_Win_flush_all(window);
  MPI_Finalize();
  return 0;
}
