// vouch: run -n 2
// expect: error request/partition @a
// flags: -pthread
// requires: partitioned threads
// also: crash
// The library of the receiver stops the job for it. A part that a thread has made ready is made ready again.
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static void* work(void* unused) {
  MPI_Pready_range(0, 1, request);
  return unused;
}

int main(int argc, char** argv) {
  int provided, rank, data[3] = {0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, 3, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(data, 3, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    MPI_Pready(1, request);  // @a
    MPI_Pready(2, request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
