// vouch: run -n 2
// expect: clean
// The same sequence in other layouts.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[10] = {1, 2}, y[20];
  MPI_Datatype every_other, pair;
  MPI_Type_vector(10, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) {
    MPI_Send(x, 10, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 5, pair, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 3, MPI_2INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(y, 1, every_other, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, 10, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, 6, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&every_other);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
