// vouch: run -n 2
// expect: error type/overlap @a
// Elements of 4 bytes, 1 byte apart.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype close;
  MPI_Type_create_resized(MPI_INT, 0, 1, &close);
  MPI_Type_commit(&close);
  if (rank == 0)
    MPI_Recv(x, 2, close, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  else
    MPI_Send(x, 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Type_free(&close);
  MPI_Finalize();
  return 0;
}
