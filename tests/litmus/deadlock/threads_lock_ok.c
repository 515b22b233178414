// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The lock is given back before the main thread receives; the other one then takes its time.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int other;

static void* work(void* unused) {
  int out = 1;
  usleep(700000);
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
  pthread_mutex_unlock(&lock);
  MPI_Recv(&in, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
