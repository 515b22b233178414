// vouch: run -n 1
// expect: error thread/request @a
// flags: -pthread
// requires: threads
// also: crash
// exit: any
// The main thread frees a communicator that another one is about to use.
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comm;

static void* work(void* nothing) {
  int size;
  MPI_Comm_size(comm, &size);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  pthread_t thread;
  MPI_Comm copy = comm;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Comm_free(&copy);  // @a
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
