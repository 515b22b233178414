// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Freed when the other thread is done with it; a communicator that is not its own is freed at once.
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comm, other;

static void* work(void* nothing) {
  int size;
  for (int i = 0; i < 1000; i++) MPI_Comm_size(comm, &size);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Comm_free(&other);
  pthread_join(thread, NULL);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
