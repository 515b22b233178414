// vouch: run -n 2
// expect: error thread/collective @a
// flags: -pthread
// requires: threads
// Two threads of each rank broadcast on one communicator: which is the first is anybody's guess.
#include <mpi.h>
#include <pthread.h>

static void* work(void* x) {
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, x = 0, y = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  work(&y);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
