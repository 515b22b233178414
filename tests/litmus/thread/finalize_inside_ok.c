// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Joined, then finalized; a thread that only asks whether MPI is there may go on.
#include <mpi.h>
#include <pthread.h>

static void* work(void* nothing) {
  int x = 1;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  return nothing;
}

static void* ask(void* nothing) {
  int up = 0;
  while (!up) MPI_Finalized(&up);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_t thread, asking;
  pthread_create(&asking, NULL, ask, NULL);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  pthread_join(asking, NULL);
  return 0;
}
