// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Threads that leave MPI alone need no thread level; asking for the level is always allowed.
#include <mpi.h>
#include <pthread.h>

static void* work(void* sum) {
  int flag, level;
  MPI_Is_thread_main(&flag);
  MPI_Query_thread(&level);
  MPI_Initialized(&flag);
  for (int i = 0; i < 1000; i++) *(int*)sum += i;
  return NULL;
}

int main(int argc, char** argv) {
  int provided, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &sum);
  pthread_join(thread, NULL);
  MPI_Send(&sum, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
