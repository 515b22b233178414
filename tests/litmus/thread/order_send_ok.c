// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// A tag for each thread; and one tag behind a lock that a flag hands over.
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn;

static void send_in_turn(int me) {
  pthread_mutex_lock(&lock);
  while (turn != me) pthread_cond_wait(&turned, &lock);
  MPI_Send(&me, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  turn = me + 1;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
}

static void* work(void* number) {
  int me = *(int*)number;
  MPI_Send(&me, 1, MPI_INT, 1, 5 + me, MPI_COMM_WORLD);
  send_in_turn(me);
  return NULL;
}

int main(int argc, char** argv) {
  int provided, rank, x[2] = {0, 1};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &x[1]);
    work(&x[0]);
    pthread_join(thread, NULL);
  } else {
    for (int i = 0; i < 2; i++) {
      MPI_Recv(&x[i], 1, MPI_INT, 0, 5 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&x[i], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
