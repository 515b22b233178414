// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 0, y = 0;
  MPI_Request requests[2];
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  for (int done = 0; !done;) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
