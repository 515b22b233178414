// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int out[2] = {1, 2}, in[2], index;
  MPI_Request requests[2], copy[2];
  // Both requests may have one handle: which of them is meant is not told by a copy.
  MPI_Isend(&out[0], 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out[1], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv(&in[0], 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  memcpy(copy, requests, sizeof(copy));
  MPI_Waitany(2, copy, &index, MPI_STATUS_IGNORE);
  MPI_Recv(&in[1], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitany(2, copy, &index, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
