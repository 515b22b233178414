// vouch: run -n 1
// expect: clean
// flags: -pthread
// requires: threads
// The thread that receives is joined before the next call.
#include <mpi.h>
#include <pthread.h>

static void* work(void* comm) {
  int x;
  MPI_Recv(&x, 1, MPI_INT, 0, 3, *(MPI_Comm*)comm, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, x = 1;
  MPI_Request request;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm comm = MPI_COMM_SELF;
  MPI_Isend(&x, 1, MPI_INT, 0, 3, comm, &request);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &comm);
  pthread_join(thread, NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
