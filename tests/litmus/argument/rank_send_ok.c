// vouch: run -n 2
// expect: clean
// MPI_PROC_NULL at the border, and oneself.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = rank, y;
  int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(&x, 1, MPI_INT, right, 7, &y, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&x, 1, MPI_INT, rank, 7, &y, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
