// vouch: run -n 2
// expect: error deadlock/livelock @a
// also: crash
// Two ranks ask for each other's messages before they send. They have read clocks and slept, but not in the loop: it
// has no end.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[2] = {0, 0}, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  srand48(time(NULL));
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&x[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
  usleep(1000);
  double begin = MPI_Wtime();
  while (!done) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);  // @a
  printf("%g s, %d s\n", MPI_Wtime() - begin, (int)time(NULL));
  for (int i = 0; i < 2; ++i) MPI_Send(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
