// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 1, out[2] = {0, 0}, token = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    // It has returned before rank 1 makes its call: the finding concerns the request.
    MPI_Igather(&in, 1, MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);  // @a
    MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allgather(&in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
