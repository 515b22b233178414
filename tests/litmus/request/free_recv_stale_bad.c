// vouch: run -n 2
// expect: warning request/free @a
// expect: error request/handle @b
// also: crash
// The warning about the free must not hide that the copy of the handle is used afterwards.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int x = 1, y;
  MPI_Request request, copy;
  if (rank == 0) {
    MPI_Irecv(&y, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    copy = request;
    MPI_Request_free(&request);  // @a
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Cancel(&copy);  // @b
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
