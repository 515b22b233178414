// A message that comes while its receive is being cancelled: that one takes it, or the next does.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; ++i) {
    if (rank == 0) {
      MPI_Request request;
      MPI_Status status;
      int cancelled;
      MPI_Irecv(&x, 1, MPI_INT, 1, i % 2 == 0 ? 5 : MPI_ANY_TAG, MPI_COMM_WORLD, &request);
      MPI_Cancel(&request);
      MPI_Wait(&request, &status);
      MPI_Test_cancelled(&status, &cancelled);
      if (cancelled) MPI_Recv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    if (i % 50 == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
