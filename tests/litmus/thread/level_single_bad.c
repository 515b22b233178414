// vouch: run -n 1
// expect: error thread/level @a
// flags: -pthread
// requires: threads
// MPI_Init provides MPI_THREAD_SINGLE; another thread calls MPI.
#include <mpi.h>
#include <pthread.h>

static void* work(void* unused) {
  int x = 0;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // @a
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
