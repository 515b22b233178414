// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -pthread
// requires: threads
// The thread that would send waits for a lock, which the receiving one holds.
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int other;

static void* work(void* unused) {
  int out = 1;
  pthread_mutex_lock(&lock);
  MPI_Send(&out, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char** argv) {
  int provided, rank, in;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, work, NULL);
  MPI_Recv(&in, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
