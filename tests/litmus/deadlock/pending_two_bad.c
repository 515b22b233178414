// vouch: run -n 3
// expect: error deadlock/finished-rank @a
// also: crash
// also: unmatched/send
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
    MPI_Recv(&x[3], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x[4], 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    // Rank 2's messages came first and are in the receives of any source.
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);  // @a
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  } else {
    if (rank == 1) MPI_Recv(&x[3], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&x[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Send(&x[2], 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
