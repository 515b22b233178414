// vouch: run -n 1 --strict
// expect: clean
// flags: -pthread
// requires: threads
// The thread has ended before MPI is initialized: there is one, as MPI_THREAD_SINGLE says.
#include <mpi.h>
#include <pthread.h>

static void* work(void* sum) {
  for (int i = 0; i < 1000; i++) *(int*)sum += i;
  return NULL;
}

int main(int argc, char** argv) {
  int sum = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, work, &sum);
  pthread_join(thread, NULL);
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
