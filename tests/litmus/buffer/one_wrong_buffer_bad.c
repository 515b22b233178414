// vouch: run -n 2
// expect: error buffer/pending-overlap @a
// All receives name the first one's buffer: one mistake, one finding, however many lines.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int in[4], out;
  MPI_Request r[4];
  if (rank == 0) {
    for (i = 0; i < 4; ++i) MPI_Send(&out, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[1]);  // @a
    MPI_Irecv(in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
