// vouch: run -n 2
// expect: clean
// A timer ends the loop, which itself asks nothing but MPI.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t late;
static void at_alarm(int number) { late = number; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  signal(SIGALRM, at_alarm);
  MPI_Request request;
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
  alarm(13);
  while (!done && !late) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
