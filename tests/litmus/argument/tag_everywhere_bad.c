// vouch: run -n 2
// expect: error argument/tag @a
// expect: error argument/tag @b
// One wrong constant, used at many lines, is one finding; another wrong value is another one.
#include <mpi.h>

#define TAG (-5)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = 0;
  MPI_Send(&x, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);  // @a
  MPI_Send(&x, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
  MPI_Ssend(&x, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  MPI_Recv(&x, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1, MPI_INT, 0, -77, MPI_COMM_WORLD);  // @b
  MPI_Finalize();
  return 0;
}
