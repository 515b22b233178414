// vouch: run -n 1
// expect: error thread/concurrent
// flags: -pthread
// requires: threads
// also: crash
// exit: any
// One thread waits inside MPI_Recv for what the other one is going to send.
#include <mpi.h>
#include <pthread.h>

static void* work(void* comm) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, 0, 3, *(MPI_Comm*)comm, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, x = 1;
  MPI_Comm comm = MPI_COMM_SELF;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  comm = MPI_COMM_SELF;
  pthread_t thread;
  pthread_create(&thread, NULL, work, &comm);
  MPI_Send(&x, 1, MPI_INT, 0, 3, comm);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
