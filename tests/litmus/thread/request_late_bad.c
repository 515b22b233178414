// vouch: run -n 2
// expect: error thread/request @a
// flags: -pthread
// requires: threads
// Two threads of rank 0 complete one request; the second one computes before.
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static MPI_Request request;

static double used(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* work(void* seconds) {
  const double end = used() + *(double*)seconds;
  while (used() < end) continue;
  int flag;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, x = 0, y = 1;
  double soon = 0, late = 0.05;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    pthread_create(&thread, NULL, work, &late);
    work(&soon);
    pthread_join(thread, NULL);
    MPI_Send(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
