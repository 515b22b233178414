// Ends well only because the message of rank 2 is matched first: it was sent before the one that rank 0 has received when it
// tells rank 1 to send, and messages of one process come in order. But they have other tags, so nothing in MPI says that the
// first of them is matched first.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 1;
  MPI_Comm all;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, 2, 8, all, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, 9, all);
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, all, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 1, 7, all, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, 0, 9, all, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 7, all);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 7, all);
    MPI_Send(&x, 1, MPI_INT, 0, 8, all);
  }
  MPI_Comm_free(&all);
  MPI_Finalize();
  return 0;
}
