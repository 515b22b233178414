// vouch: run -n 1
// expect: clean
// MPI_REQUEST_NULL wherever it may be completed or asked for.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int flag, index, count, indices[2];
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
  MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
