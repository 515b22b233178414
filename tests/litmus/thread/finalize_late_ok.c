// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// A thread that watches something looks in turns and leaves MPI alone; the main thread need not wait
// for it before MPI_Finalize.
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int over;

static void* watch(void* nothing) {
  while (!atomic_load(&over)) usleep(100000);
  return nothing;
}

int main(int argc, char** argv) {
  int provided, x = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, watch, NULL);
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  atomic_store(&over, 1);
  pthread_join(thread, NULL);
  return 0;
}
