// vouch: run -n 2
// expect: error thread/request @a
// flags: -pthread
// requires: threads
// Two threads of rank 0 wait for one request.
#include <mpi.h>
#include <pthread.h>

static MPI_Request request;

static void* work(void* nothing) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // @a
  return nothing;
}

int main(int argc, char** argv) {
  int provided, rank, x = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
