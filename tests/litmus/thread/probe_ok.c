// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// A tag per thread; then one tag, and a lock around probe and receive.
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static const int tags[2] = {5, 6};

static void take(int tag) {
  int x[8];
  MPI_Status status;
  MPI_Probe(1, tag, MPI_COMM_WORLD, &status);
  MPI_Recv(x, 8, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void* work(void* tag) {
  take(*(const int*)tag);
  pthread_mutex_lock(&one);
  take(7);
  pthread_mutex_unlock(&one);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, x[8] = {0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void*)&tags[0]);
    work((void*)&tags[1]);
    pthread_join(thread, NULL);
  } else {
    const int order[4] = {5, 6, 7, 7};
    for (int i = 0; i < 4; i++) MPI_Send(x, 1 + i, MPI_INT, 0, order[i], MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
