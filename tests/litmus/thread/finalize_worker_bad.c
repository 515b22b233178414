// vouch: run -n 1
// expect: error thread/finalize @a
// flags: -pthread
// requires: threads
#include <mpi.h>
#include <pthread.h>

static void* work(void* nothing) {
  MPI_Finalize();  // @a
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
