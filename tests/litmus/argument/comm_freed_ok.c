// vouch: run -n 2
// expect: clean
// [U22]: freed while traffic is pending; the communicator lives until it is done.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm;
  MPI_Request requests[2];
  int in, out = rank;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 3, comm, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 3, comm, &requests[1]);
  MPI_Comm_free(&comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
