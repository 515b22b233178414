// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request r;
  MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&r);
    MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&r);
  MPI_Finalize();
  return 0;
}
