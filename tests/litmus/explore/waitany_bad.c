// vouch: explore -n 3
// expect: error deadlock/finished-rank @a
// explores: 2
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {0}, y = 0;
  if (rank == 0) {
    MPI_Request requests[2];
    int index;
    MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    // As if rank 1 always came first.
    if (index == 0) MPI_Send(&y, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Finalize();
  return 0;
}
