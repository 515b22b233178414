// vouch: run -n 2
// expect: clean
// requires: threads
// flags: -pthread
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

void* use(void* win) {
  int one = 1, old;
  MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, *(MPI_Win*)win);
  MPI_Win_flush(0, *(MPI_Win*)win);
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  pthread_t thread;
  MPI_Win_lock_all(0, win);
  pthread_create(&thread, NULL, use, &win);
  pthread_join(thread, NULL);
  MPI_Win_unlock_all(win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
