// vouch: run -n 2
// flags: -I{api}
// expect: error assertion/violated @a
#include <mpi.h>
#include <vouch.h>

int main(int argc, char** argv) {
  int rank, x = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    VOUCH_ASSERT(x == 4, x);  // @a
  }
  MPI_Finalize();
  return 0;
}
