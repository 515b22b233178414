// vouch: run -n 2
// expect: error argument/rank @a
// expect: error argument/rank @b
// also: crash
// One wrong variable at three lines is one mistake; another one is another.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank, size, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int next = rank + 1, far = size + 40;
  if (next == size) {
    MPI_Send(&x, 1, MPI_INT, next, 0, MPI_COMM_WORLD);  // @a
    MPI_Send(&x, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, next, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, far, 3, MPI_COMM_WORLD);  // @b
  }
  MPI_Finalize();
  return 0;
}
