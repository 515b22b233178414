// vouch: run -n 1
// expect: clean
// [U22]: freed while a send with it is pending, and while another type is made of it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[4] = {1, 2, 3, 4}, y[4];
  MPI_Datatype pair, two;
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Isend(x, 2, pair, 0, 7, MPI_COMM_SELF, &request);
  MPI_Type_contiguous(2, pair, &two);
  MPI_Type_free(&pair);
  MPI_Type_commit(&two);
  MPI_Recv(y, 1, two, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&two);
  MPI_Finalize();
  return 0;
}
