// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The service thread of each process waits for a message while the main thread sleeps, and computes,
// and only then sends.
#include <mpi.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void* serve(void* unused) {
  int word;
  MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}

int main(int argc, char** argv) {
  int provided, rank, size;
  pthread_t service;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_create(&service, NULL, serve, NULL);
  usleep(800000);
  for (const time_t end = time(NULL) + 1; time(NULL) < end;) continue;
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
  pthread_join(service, NULL);
  MPI_Finalize();
  return 0;
}
