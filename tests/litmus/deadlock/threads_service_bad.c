// vouch: run -n 2
// expect: error deadlock/wildcard-knot @a
// flags: -pthread
// requires: threads
// The service thread of each process waits for a message that the main thread forgets to send: it
// waits for the service thread to end.
#include <mpi.h>
#include <pthread.h>

static void* serve(void* unused) {
  int word;
  MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  return unused;
}

int main(int argc, char** argv) {
  int provided;
  pthread_t service;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  pthread_create(&service, NULL, serve, NULL);
  pthread_join(service, NULL);
  MPI_Finalize();
  return 0;
}
