// vouch: run -n 2
// expect: clean
// For sending it is fine, and so is one element.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype close;
  MPI_Type_create_resized(MPI_INT, 0, 1, &close);
  MPI_Type_commit(&close);
  if (rank == 0) {
    MPI_Recv(x, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 1, close, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x, 2, close, 0, 7, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  }
  MPI_Type_free(&close);
  MPI_Finalize();
  return 0;
}
