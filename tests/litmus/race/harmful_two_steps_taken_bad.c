// vouch: run -n 4
// expect: error race/message-harmful @b
// The same where the first receive has taken a message of rank 3 already.
#include <mpi.h>

static void from(int source) {
  int nothing;
  MPI_Recv(&nothing, 0, MPI_INT, source, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void to(int dest) {
  const int nothing = 0;
  MPI_Send(&nothing, 0, MPI_INT, dest, 6, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = rank, y = 0;
  if (rank == 0) {
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @b
    MPI_Recv(&y, 1, MPI_INT, 3, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    from(3);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    to(3);
  } else if (rank == 2) {
    from(3);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    to(1);
    from(1);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    to(2);
  }
  MPI_Finalize();
  return 0;
}
