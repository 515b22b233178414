// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The first thread of a process uses at once what the main thread has made ready: a datatype, a window.
#include <mpi.h>
#include <pthread.h>

static MPI_Datatype pair;
static MPI_Win window;

static void* work(void* rank) {
  int x[2] = {1, 2}, to = 1 - *(int*)rank;
  MPI_Put(x, 1, pair, to, 0, 1, pair, window);
  MPI_Win_flush(to, window);
  MPI_Send(x, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, *memory;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Win_lock_all(0, window);
  pthread_create(&thread, NULL, work, &rank);
  pthread_join(thread, NULL);
  MPI_Win_unlock_all(window);
  MPI_Type_free(&pair);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
