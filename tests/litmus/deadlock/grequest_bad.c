// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// Nobody but its own process can complete a generalized request, and that waits for it.
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
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @a
    MPI_Grequest_complete(request);
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
