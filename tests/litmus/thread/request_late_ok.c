// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The second thread computes until the first one has tested, and tests then.
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static MPI_Request request;
static atomic_int tested;

static void* work(void* nothing) {
  while (!atomic_load(&tested)) continue;
  int flag;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return nothing;
}

int main(int argc, char** argv) {
  int provided, rank, x = 0, y = 1, flag;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    pthread_create(&thread, NULL, work, NULL);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    atomic_store(&tested, 1);
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
