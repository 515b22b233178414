// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// A communicator per thread.
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comms[2];

static void* work(void* comm) {
  int x = 0;
  for (int i = 0; i < 10; i++) MPI_Bcast(&x, 1, MPI_INT, 0, *(MPI_Comm*)comm);
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &comms[1]);
  work(&comms[0]);
  pthread_join(thread, NULL);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  return 0;
}
