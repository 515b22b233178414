// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// Memory given away by MPI_Buffer_attach is used as a receive buffer.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, size;
  static char space[8192];
  void* p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(space, sizeof space);
  if (rank == 0)
    MPI_Bsend(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  else
    MPI_Recv(space + 4096, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Buffer_detach(&p, &size);
  MPI_Finalize();
  return 0;
}
