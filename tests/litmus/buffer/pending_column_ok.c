// vouch: run -n 2
// expect: clean
// Interleaved columns share no byte.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  static int m[8][8];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype one, two;
  MPI_Type_vector(8, 1, 8, MPI_INT, &one);
  MPI_Type_vector(8, 2, 8, MPI_INT, &two);
  MPI_Type_commit(&one);
  MPI_Type_commit(&two);
  if (rank == 0) {
    MPI_Request request[2];
    MPI_Irecv(&m[0][0], 1, two, 1, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&m[0][2], 1, one, 1, 8, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(m, 16, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Send(m, 8, MPI_INT, 0, 8, MPI_COMM_WORLD);
  }
  MPI_Type_free(&one);
  MPI_Type_free(&two);
  MPI_Finalize();
  return 0;
}
