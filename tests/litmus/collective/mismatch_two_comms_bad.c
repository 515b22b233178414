// vouch: run -n 4
// requires: openmpi
// expect: error collective/mismatch @a
// expect: error collective/mismatch @b
// expect: warning leak/communicator @c
// also: crash
// Two halves, each with a mistake of its own: in the first rank 1 does not join, in the second
// rank 2 does not.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);  // @c
  if (rank == 0) MPI_Bcast(&value, 1, MPI_INT, 0, half);  // @a
  if (rank == 3) MPI_Bcast(&value, 1, MPI_INT, 1, half);
  MPI_Finalize();  // @b
  return 0;
}
