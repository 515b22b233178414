// vouch: run -n 2
// expect: clean
// requires: partitioned
// flags: -pthread
// [U35]: 8 partitions of 1 to 4 of 2, made ready by threads.
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;
static int x[8];

static void* ready(void* first) {
  for (int i = 0; i < 4; i++) MPI_Pready((int)(long)first + i, request);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank;
  pthread_t threads[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(x, 8, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  } else {
    MPI_Precv_init(x, 4, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  }
  MPI_Start(&request);
  for (long i = 0; rank == 0 && i < 2; i++) pthread_create(&threads[i], NULL, ready, (void*)(4 * i));
  for (int i = 0; rank == 0 && i < 2; i++) pthread_join(threads[i], NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
