// vouch: run -n 2
// expect: clean
// compile: vouch cc
// requires: partitioned
//
// MPI_Parrived said so.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_Request request;
  if (rank == 0)
    MPI_Psend_init(x, 4, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(x, 4, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  if (rank == 0) {
    for (int part = 0; part < 4; part++) MPI_Pready(part, request);
  } else {
    int arrived = 0;
    while (!arrived) MPI_Parrived(request, 1, &arrived);
    y[0] = x[4];
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[1] = x[8];
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
