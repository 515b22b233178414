// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// MPI_THREAD_SERIALIZED: the second thread sleeps, and then waits for the lock.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* microseconds) {
  int x = 1;
  usleep(*(int*)microseconds);
  pthread_mutex_lock(&one);
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  pthread_mutex_unlock(&one);
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
