// Extensions that only answer a question, and generalized requests of a class.
// vouch: run -n 1
// requires: mpich
// expect: clean
#include <mpi.h>
#include <stddef.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static int freed;
static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int release(void* state) {
  ++freed;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) { return MPI_SUCCESS; }
static MPI_Request open_request;
static int poll(void* state, MPI_Status* status) {
  MPI_Grequest_complete(open_request);
  return MPI_SUCCESS;
}
static int wait(int count, void** states, double timeout, MPI_Status* status) {
  MPI_Grequest_complete(open_request);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int is;
  CHECK(MPIX_Query_cuda_support() >= 0);
  CHECK(MPIX_Query_hip_support() >= 0);
  CHECK(MPIX_Query_ze_support() >= 0);
  MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &is);
  int class, code;
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "for a while");
  MPIX_Delete_error_string(code);
  MPIX_Delete_error_code(code);
  MPIX_Delete_error_class(class);
  MPIX_Grequest_class kind;
  MPIX_Grequest_start(query, release, cancel, poll, wait, NULL, &open_request);
  MPI_Wait(&open_request, MPI_STATUS_IGNORE);
  MPIX_Grequest_class_create(query, release, cancel, poll, wait, &kind);
  MPIX_Grequest_class_allocate(kind, NULL, &open_request);
  MPI_Wait(&open_request, MPI_STATUS_IGNORE);
  CHECK(freed == 2);
  MPI_Finalize();
  return 0;
}
