// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int out[1 << 18], in[1 << 18];
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2) {
    for (int to = 0; to < 2; ++to) {
      MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
      MPI_Send(&x, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
    }
  } else {
    MPI_Request r;
    MPI_Irecv(in, sizeof in / sizeof(int), MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
    MPI_Recv(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 1 << 18, MPI_INT, 1 - rank, 2, in, 1 << 18, MPI_INT, 1 - rank, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
