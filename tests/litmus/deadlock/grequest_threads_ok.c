// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// A thread completes it after a while, in which everybody else waits.
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* state) { return MPI_SUCCESS; }
static int cancel(void* state, int complete) { return MPI_SUCCESS; }

static MPI_Request request;
static int rank, x, y;

static void* work(void* unused) {
  usleep(800000);
  MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Grequest_complete(request);
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Grequest_start(query, release, cancel, NULL, &request);
  MPI_Request mine = request;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Send(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&mine, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
