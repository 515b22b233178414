// vouch: run -n 2
// expect: error dynamic/disconnect @a
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm;
  int x;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, comm, &request);
  int y = rank;
  MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, comm);
  MPI_Comm_disconnect(&comm);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
