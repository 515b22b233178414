// vouch: run -n 1
// expect: clean
// MPI_BOTTOM, which is NULL in common libraries, with an absolute type.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x = 1, y = 0, one = 1;
  MPI_Aint address;
  MPI_Datatype absolute;
  MPI_Request request;
  MPI_Get_address(&y, &address);
  MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  MPI_Irecv(MPI_BOTTOM, 1, absolute, 0, 7, MPI_COMM_WORLD, &request);
  MPI_Send(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&absolute);
  MPI_Finalize();
  return y != 1;
}
