// vouch: run -n 2
// expect: clean
// A generalized request is completed within a callback: by the function that deletes an attribute.
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

static MPI_Request request;

static int attribute_gone(MPI_Comm comm, int keyval, void* value, void* state) {
  return MPI_Grequest_complete(request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval;
  MPI_Comm copy;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, attribute_gone, &keyval, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Grequest_start(query, release, cancel, NULL, &request);
  MPI_Comm_set_attr(copy, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_free(&copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
