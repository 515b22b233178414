// vouch: run -n 1
// expect: error thread/finalize @a
// flags: -pthread
// requires: threads
// also: crash
// exit: any
// The main thread does not wait for the one that it started, which sleeps before it calls MPI.
#include <mpi.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static void* work(void* nothing) {
  int x = 1;
  thrd_sleep(&(struct timespec){0, 500000000}, NULL);
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Finalize();  // @a
  pthread_join(thread, NULL);
  return 0;
}
