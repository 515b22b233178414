// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The same with MPI_Mprobe: what a thread saw is its own [U32].
#include <mpi.h>
#include <pthread.h>

static void* work(void* nothing) {
  int x[8], count;
  MPI_Status status;
  MPI_Message message;
  MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Mrecv(x, count, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(x, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
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
