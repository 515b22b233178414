// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int last = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &x, 1, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&rank, 1, MPI_INT, last, 1, &x, 1, MPI_INT, next, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
