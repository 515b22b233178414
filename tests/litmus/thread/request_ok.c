// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// Each thread waits for its own entry of one array; then one after the other uses the same variable.
#include <mpi.h>
#include <pthread.h>

static MPI_Request requests[2];
static const int number[2] = {0, 1};

static void* work(void* me) {
  MPI_Wait(&requests[*(const int*)me], MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, x[2] = {0, 0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 10; round++) {
    if (rank == 0) {
      pthread_t thread;
      MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Irecv(&x[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
      pthread_create(&thread, NULL, work, (void*)&number[1]);
      work((void*)&number[0]);
      pthread_join(thread, NULL);
      MPI_Irecv(&x[0], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
      pthread_create(&thread, NULL, work, (void*)&number[0]);
      pthread_join(thread, NULL);
      work((void*)&number[0]);
    } else {
      for (int tag = 0; tag < 3; tag++) MPI_Send(&x[0], 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
