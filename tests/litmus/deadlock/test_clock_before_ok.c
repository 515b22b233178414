// vouch: run -n 2
// expect: clean
// The loop gives up by a clock: nobody else would have ended it.
#include <mpi.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[2] = {0, 0}, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&x[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
  double begin = now();
  while (!done && now() - begin < 13) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) MPI_Send(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
