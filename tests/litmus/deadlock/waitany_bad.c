// vouch: run -n 3
// expect: error deadlock/finished-rank @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Neither of the two will ever come.
  if (rank == 0) {
    MPI_Request r[2];
    int which;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
