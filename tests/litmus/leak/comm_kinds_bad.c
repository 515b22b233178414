// vouch: run -n 2
// expect: warning leak/communicator @a
// expect: warning leak/communicator @b
// expect: warning leak/communicator @c
// expect: warning leak/communicator @d
// [U28]: each by its own line.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm split, cart, inter, later;
  MPI_Request request;
  int dims = 2, periodic = 1;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &split);  // @a
  MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &cart);  // @b
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);  // @c
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);  // @d
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
