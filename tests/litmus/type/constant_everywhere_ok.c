// vouch: run -n 2
// expect: clean
#include <mpi.h>

#define NUMBER MPI_DOUBLE

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int tag = 1; tag < 4; ++tag) {
    if (rank == 0) MPI_Send(&x, 1, NUMBER, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&x, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
