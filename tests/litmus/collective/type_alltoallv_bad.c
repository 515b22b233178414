// vouch: run -n 4
// expect: error collective/type @a
// [U17]
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // One pair is wrong: rank 3 expects more of rank 1 than it gives.
  int out[8] = {0}, in[16] = {0}, gives[4] = {1, 1, 1, 1}, takes[4] = {1, 1, 1, 1}, from[4] = {0, 1, 2, 3}, to[4] = {0, 4, 8, 12};
  if (rank == 3) takes[1] = 2;
  MPI_Alltoallv(out, gives, from, MPI_INT, in, takes, to, MPI_INT, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
