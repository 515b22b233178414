// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// A thread from before MPI_Init_thread uses at once what the main thread has made ready.
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static MPI_Datatype pair;
static atomic_int ready;

static void* work(void* nothing) {
  int x[2] = {1, 2};
  while (!atomic_load(&ready)) sched_yield();
  MPI_Send(x, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  atomic_store(&ready, 1);
  pthread_join(thread, NULL);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
