// vouch: run -n 2
// expect: clean
// [U22]: the type is freed while its operation is pending.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x[3] = {0}, y[3];
  MPI_Request request;
  MPI_Datatype three;
  MPI_Type_contiguous(3, MPI_DOUBLE, &three);
  MPI_Type_commit(&three);
  if (rank == 0) {
    MPI_Isend(x, 1, three, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Type_free(&three);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Type_free(&three);
    MPI_Irecv(y, 3, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
