// vouch: run -n 2
// flags: -I{api}
// expect: error assertion/violated @a
// A value of two thirds is no integer: whether the condition holds is known all the same.
#include <mpi.h>
#include <vouch.h>

int main(int argc, char** argv) {
  int rank;
  double sum[2] = {1, 2.0 / 3};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Send(sum, 2, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
  } else {
    MPI_Recv(sum, 2, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    VOUCH_ASSERT(sum[0] < sum[1], sum[0], sum[1]);  // @a
  }
  MPI_Finalize();
  return 0;
}
