// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[4] = {rank}, y[4] = {0};
  if (rank == 0) {
    // The buffer is as large as the status says.
    for (int i = 0; i < 2; ++i) {
      MPI_Message message;
      MPI_Status status;
      int count;
      MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Mrecv(y, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
  } else {
    MPI_Send(x, rank == 1 ? 4 : 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
