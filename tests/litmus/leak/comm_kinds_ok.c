// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm split, cart, inter, later;
  MPI_Request request;
  int dims = 2, periodic = 1;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &split);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &cart);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&split);
  MPI_Comm_free(&cart);
  MPI_Comm_disconnect(&inter);
  MPI_Comm_free(&later);
  MPI_Finalize();
  return 0;
}
