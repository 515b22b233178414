// vouch: run -n 2
// expect: error buffer/call-overlap @a
// expect: error collective/type @a
// also: crash
// requires: openmpi
// Overlapping buffers leave wrong data; that the ranks disagree on the count is another mistake.
// MPICH ends the job in the first rank that calls it, and the other may never come.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int all[16];
  MPI_Allgather(all + 1, 2 + 2 * rank, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
