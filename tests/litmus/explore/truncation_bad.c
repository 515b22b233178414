// vouch: explore -n 3
// explores: 2
// expect: error type/truncation @a
// In one of two schedules the receive takes the longer message: what the library says then is explained.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 0, four[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    MPI_Recv(four, 4, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);  // if the job ends here by an error, what this rank sends is known
  } else {
    MPI_Recv(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(four, 4, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
