// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// One rank completes its generalized request, the other forgets it.
#include <mpi.h>
#include <stddef.h>

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* state) { return MPI_SUCCESS; }
static int cancel(void* state, int complete) { return MPI_SUCCESS; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[2];
  MPI_Grequest_start(query, release, cancel, NULL, &requests[0]);
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Grequest_complete(requests[0]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
