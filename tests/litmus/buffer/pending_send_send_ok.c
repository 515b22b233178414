// vouch: run -n 4
// expect: clean
// [U21]: sending one buffer to many, and reading it meanwhile, is legal since MPI-2.2.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, sum = 0;
  static int x[100], y[4][100];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request request[8];
  int n = 0;
  for (int i = 0; i < size; ++i) {
    MPI_Irecv(y[i], 100, MPI_INT, i, 7, MPI_COMM_WORLD, &request[n++]);
    MPI_Isend(x, 100, MPI_INT, i, 7, MPI_COMM_WORLD, &request[n++]);
  }
  MPI_Allreduce(x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return sum;
}
