// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -pthread
// requires: threads
// Each thread has a communicator of its own. On one of them both processes receive first; the main
// threads wait for the others in a barrier of a third communicator only after these have ended.
#include <mpi.h>
#include <pthread.h>

static MPI_Comm comms[2];
static int other;

static void* work(void* number) {
  const long n = (long)number;
  int in, out = 1;
  if (n == 0) {
    MPI_Sendrecv(&out, 1, MPI_INT, other, 3, &in, 1, MPI_INT, other, 3, comms[0], MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&in, 1, MPI_INT, other, 3, comms[1], MPI_STATUS_IGNORE);  // @a
    MPI_Send(&out, 1, MPI_INT, other, 3, comms[1]);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank;
  pthread_t threads[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (long i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (long i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  for (long i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
