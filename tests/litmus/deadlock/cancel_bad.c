// vouch: run -n 2
// expect: error deadlock/finished-rank @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Without MPI_Cancel the wait never ends.
  if (rank == 0) {
    MPI_Request r;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
