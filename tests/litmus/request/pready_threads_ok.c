// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: partitioned threads
// Each part is made ready by a thread that has ended before the message is started again.
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static void* work(void* part) {
  MPI_Pready_range((int)(long)part, (int)(long)part, request);
  return NULL;
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
  for (int round = 0; round < 10; ++round) {
    pthread_t threads[3];
    MPI_Start(&request);
    for (long i = 0; rank == 0 && i < 3; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
    for (long i = 0; rank == 0 && i < 3; ++i) pthread_join(threads[i], NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
