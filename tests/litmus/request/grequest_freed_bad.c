// vouch: run -n 1
// expect: error request/handle @a
// also: crash
#include <mpi.h>
#include <stddef.h>

static int released;
static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* state) {
  ++released;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) { return MPI_SUCCESS; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < 1; ++i) {
    MPI_Request request, copy;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Grequest_complete(copy);
    MPI_Grequest_complete(copy);  // @a
  }
  MPI_Finalize();
  return 0;
}
