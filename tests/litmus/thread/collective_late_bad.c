// vouch: run -n 2
// expect: error thread/collective @a
// flags: -pthread
// requires: threads
// The second thread comes long after the first: it sleeps. Nothing orders the two all the same.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void* work(void* microseconds) {
  usleep(*(int*)microseconds);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, soon = 0, late = 300000;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &late);
  work(&soon);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
