// vouch: run -n 2
// expect: clean
// flags: -pthread
// The loop ends when another thread of the process says so, which takes twelve seconds.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static int ready;

static void* prepare(void* nothing) {
  sleep(12);
  __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  return nothing;
}

int main(int argc, char** argv) {
  int provided, rank, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
      MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
  }
  MPI_Bcast(&ready, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
