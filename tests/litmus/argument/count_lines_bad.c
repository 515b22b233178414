// vouch: run -n 2
// expect: error argument/count @a
// expect: error argument/buffer-null @b
// also: crash
// A count that was never computed, and memory that was never allocated, each used at several lines.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank, n = -1, x = 0;
  double* data = NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, n, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @a
    MPI_Ssend(&x, n, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&x, n, MPI_INT, 1, 2, MPI_COMM_WORLD);
  }
  MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);  // @b
  MPI_Bcast(data, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
