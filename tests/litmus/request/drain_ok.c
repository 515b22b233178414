// vouch: run -n 1
// expect: clean
// [U25]: loops that take whatever is complete until nothing is left, over null and inactive entries.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[4] = {1, 2, 3, 4}, y[4], index, count, indices[6], left = 2;
  MPI_Request requests[6];
  for (int i = 0; i < 2; i++) MPI_Irecv(&y[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
  for (int i = 2; i < 4; i++) MPI_Recv_init(&y[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
  requests[4] = requests[5] = MPI_REQUEST_NULL;
  MPI_Startall(2, requests + 2);
  for (int i = 0; i < 4; i++) MPI_Send(&x[i], 1, MPI_INT, 0, i, MPI_COMM_SELF);
  do {
    MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
  } while (index != MPI_UNDEFINED);
  MPI_Startall(2, requests + 2);
  for (int i = 2; i < 4; i++) MPI_Send(&x[i], 1, MPI_INT, 0, i, MPI_COMM_SELF);
  do {
    MPI_Waitsome(6, requests, &count, indices, MPI_STATUSES_IGNORE);
  } while (count != MPI_UNDEFINED);
  MPI_Startall(2, requests + 2);
  for (int i = 2; i < 4; i++) MPI_Send(&x[i], 1, MPI_INT, 0, i, MPI_COMM_SELF);
  do {
    MPI_Testsome(6, requests, &count, indices, MPI_STATUSES_IGNORE);
  } while (count != MPI_UNDEFINED);
  MPI_Request_free(&requests[2]);
  MPI_Request_free(&requests[3]);
  MPI_Finalize();
  return 0;
}
