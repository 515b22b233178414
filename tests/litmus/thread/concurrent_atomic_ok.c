// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// MPI_THREAD_SERIALIZED: two threads take turns by an atomic flag, which nobody but they can see.
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int turn;

static void* work(void* me) {
  int x = 1, mine = *(int*)me;
  for (int i = 0; i < 50; i++) {
    while (atomic_load(&turn) != mine) sched_yield();
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    atomic_store(&turn, 1 - mine);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, zero = 0, one = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &one);
  work(&zero);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
