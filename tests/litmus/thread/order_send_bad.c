// vouch: run -n 2
// expect: info race/order @a
// flags: -pthread
// requires: threads
// Two threads of rank 0 send with one envelope: rank 1 may get either message first.
#include <mpi.h>
#include <pthread.h>

static void* work(void* value) {
  MPI_Send(value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @a
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, x[2] = {1, 2};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &x[1]);
    work(&x[0]);
    pthread_join(thread, NULL);
  } else {
    for (int i = 0; i < 2; i++) MPI_Recv(&x[i], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
