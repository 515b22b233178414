// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// A thread completes the request that the main thread waits for. The wait returns, and the next request
// is made under the same handle, before that thread is back from its call.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

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
  usleep(2000);
  MPI_Grequest_complete(request);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    MPI_Grequest_start(query, no_free, no_cancel, NULL, &request);
    MPI_Request copy = request;
    pthread_create(&thread, NULL, work, NULL);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
  }
  MPI_Finalize();
  return 0;
}
