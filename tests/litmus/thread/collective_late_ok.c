// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The second thread sleeps between looks at a flag, which the first one sets after its collective.
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void* work(void* nothing) {
  while (!atomic_load(&done)) usleep(20000);
  MPI_Barrier(MPI_COMM_WORLD);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  atomic_store(&done, 1);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
