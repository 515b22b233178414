// vouch: run -n 1
// expect: error thread/concurrent @a
// flags: -pthread
// requires: threads
// MPI_THREAD_SERIALIZED: a thread that sleeps, and the main thread does not wait for it.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void* work(void* microseconds) {
  int x = 1;
  usleep(*(int*)microseconds);
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, soon = 0, late = 400000;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &late);
  work(&soon);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
