// vouch: run -n 2
// expect: error deadlock/livelock @a
// A loop asks for a generalized request that its own process never completes.
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
  int rank, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // @a
    MPI_Grequest_complete(request);
  }
  MPI_Finalize();
  return 0;
}
