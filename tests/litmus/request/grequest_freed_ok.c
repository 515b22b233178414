// vouch: run -n 1
// expect: clean
// MPI-4.1 13.2: the request may be freed before it is complete; whichever call comes last ends it.
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
  for (int i = 0; i < 3; ++i) {
    MPI_Request request, copy;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Grequest_complete(copy);
  }
  MPI_Finalize();
  return released != 3;
}
