// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// One communicator, but one thread after the other.
#include <mpi.h>
#include <pthread.h>

static void* work(void* x) {
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, x = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 5; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &x);
    pthread_join(thread, NULL);
    work(&x);
  }
  MPI_Finalize();
  return 0;
}
