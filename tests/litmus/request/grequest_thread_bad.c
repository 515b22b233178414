// vouch: run -n 1
// expect: error request/grequest @a
// flags: -pthread
// requires: threads
// also: crash
// A thread completes a request, and the main thread completes it again.
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int no_free(void* state) { return MPI_SUCCESS; }
static int no_cancel(void* state, int complete) { return MPI_SUCCESS; }

static void* work(void* unused) {
  MPI_Grequest_complete(request);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Grequest_start(query, no_free, no_cancel, NULL, &request);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  MPI_Grequest_complete(request);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
