// vouch: run -n 2
// expect: error argument/buffer-null @a
// also: crash
// Its own share is the other element of the array.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in[2] = {1, 1}, out[2], counts[2] = {0, 2};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce_scatter(in, rank == 0 ? out : NULL, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
