// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -pthread
// requires: threads
// Every thread of every process is inside a call that waits for one of the others.
#include <mpi.h>
#include <pthread.h>

static void* work(void* comm) {
  int rank;
  MPI_Comm_rank(*(MPI_Comm*)comm, &rank);
  MPI_Barrier(*(MPI_Comm*)comm);
  if (rank == 0) MPI_Barrier(*(MPI_Comm*)comm);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, in;
  pthread_t thread;
  MPI_Comm comm;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  pthread_create(&thread, NULL, work, &comm);
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  pthread_join(thread, NULL);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
