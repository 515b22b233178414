// vouch: run -n 1
// expect: error thread/concurrent @a
// flags: -pthread
// requires: threads
// Two threads send under MPI_THREAD_SERIALIZED, each whenever it likes.
#include <mpi.h>
#include <pthread.h>

static void* work(void* nothing) {
  int x = 1;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // @a
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
