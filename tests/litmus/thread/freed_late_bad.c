// vouch: run -n 2
// expect: error thread/request @a
// flags: -pthread
// requires: threads
// The main thread sleeps and frees the communicator that the other thread sends on: nothing says
// that the message has been sent.
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm comm;

static void* work(void* nothing) {
  int x = 1;
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
  return nothing;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm mine = comm;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  usleep(200000);
  MPI_Comm_free(&mine);  // @a
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
