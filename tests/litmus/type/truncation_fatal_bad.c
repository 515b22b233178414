// vouch: run -n 2
// expect: error type/truncation @a
// also: crash
// [U7]: the library ends the job in this call, which is no finding of its own.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[5] = {0};
  if (rank == 0) {
    MPI_Send(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(x, 4, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
