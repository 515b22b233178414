// vouch: run -n 2
// expect: error rma/epoch-nested @a
// also: crash
// expect: warning leak/window @b [openmpi]
// Rank 1 never waits for the end of its exposure epoch.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *memory, x = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win window;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);  // @b
  MPI_Group world, other;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int partner = 1 - rank;
  MPI_Group_incl(world, 1, &partner, &other);
  if (rank == 0) {
    MPI_Win_start(other, 0, window);
    MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
  } else {
    MPI_Win_post(other, 0, window);  // @a
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Group_free(&world);
  MPI_Group_free(&other);
  MPI_Finalize();
  return 0;
}
