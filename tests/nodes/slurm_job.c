// Neighbours in a ring exchange a word; `stuck`: all receive first.

#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size, out = 1, in = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  if (argc > 1 && strcmp(argv[1], "stuck") == 0)
    MPI_Recv(&in, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&out, 1, MPI_INT, next, 0, &in, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
