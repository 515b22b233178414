// vouch: run -n 1
// expect: error type/uncommitted @a
// flags: -pthread
// requires: threads
// also: crash
// exit: any
// The main thread commits the datatype when the thread that sends it has ended.
#include <mpi.h>
#include <pthread.h>

static MPI_Datatype pair;

static void* work(void* nothing) {
  int x[2] = {1, 2};
  MPI_Send(x, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);  // @a
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  MPI_Type_commit(&pair);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
