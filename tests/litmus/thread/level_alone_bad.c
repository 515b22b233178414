// vouch: run -n 1
// expect: info thread/level @a
// flags: -pthread
// requires: threads
// MPI_THREAD_SINGLE says that there is one thread. A second one that leaves MPI alone is worth a word.
#include <mpi.h>
#include <pthread.h>

static void* work(void* sum) {
  for (int i = 0; i < 1000; i++) *(int*)sum += i;
  return NULL;
}

int main(int argc, char** argv) {
  int sum = 0;
  MPI_Init(&argc, &argv);  // @a
  pthread_t thread;
  pthread_create(&thread, NULL, work, &sum);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
