// vouch: run -n 2
// expect: warning race/probe @a
// flags: -pthread
// requires: threads
// Two threads of rank 0 probe and receive messages of different lengths.
#include <mpi.h>
#include <pthread.h>

static void* work(void* nothing) {
  int x[8], count;
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);  // @a
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Recv(x, 8, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return nothing;
}

int main(int argc, char** argv) {
  int provided, rank, x[8] = {0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
  } else {
    for (int i = 0; i < 2; i++) MPI_Send(x, 1 + i, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
