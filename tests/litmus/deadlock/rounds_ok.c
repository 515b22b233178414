// vouch: run -n 3
// expect: clean
#include <mpi.h>

// The same again and again, and then not.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, in = 0, out = 1;
  double sum = 0, one = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (int i = 0; i < 3000; ++i) {
    MPI_Request sent;
    MPI_Isend(&out, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &sent);
    MPI_Recv(&in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
