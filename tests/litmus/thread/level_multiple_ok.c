// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// Two threads at once, a communicator each, under MPI_THREAD_MULTIPLE.
#include <mpi.h>
#include <pthread.h>

static void* work(void* comm) {
  int in = 1, out;
  for (int i = 0; i < 100; i++) {
    MPI_Sendrecv(&in, 1, MPI_INT, 0, 5, &out, 1, MPI_INT, 0, 5, *(MPI_Comm*)comm, MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm comms[2];
  pthread_t thread;
  MPI_Comm_dup(MPI_COMM_SELF, &comms[0]);
  MPI_Comm_dup(MPI_COMM_SELF, &comms[1]);
  if (provided == MPI_THREAD_MULTIPLE) pthread_create(&thread, NULL, work, &comms[1]);
  work(&comms[0]);
  if (provided == MPI_THREAD_MULTIPLE) pthread_join(thread, NULL);
  MPI_Comm_free(&comms[0]);
  MPI_Comm_free(&comms[1]);
  MPI_Finalize();
  return 0;
}
