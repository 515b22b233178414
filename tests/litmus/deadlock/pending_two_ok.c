// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[5] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request r[3];
    MPI_Irecv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&x[2], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    // Now nothing but the third can take what rank 2 sends.
    MPI_Send(&x[4], 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&x[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x[3], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
