// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Two threads send under MPI_THREAD_SERIALIZED, one at a time.
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* nothing) {
  int x = 1;
  for (int i = 0; i < 50; i++) {
    pthread_mutex_lock(&one);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    pthread_mutex_unlock(&one);
  }
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
