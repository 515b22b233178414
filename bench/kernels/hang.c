// Ranks that wait for each other in a ring, after some ordinary work. Each tells when it begins to wait (CLOCK_MONOTONIC,
// in seconds): the last of these times is when the job hangs.
//
//   hang KIND       KIND: recv | wildcard | barrier
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void tell(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  printf("hangs %ld.%09ld\n", (long)t.tv_sec, t.tv_nsec);
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* kind = argc > 1 ? argv[1] : "recv";
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < 1000; ++i) {
    MPI_Request sent;
    MPI_Isend(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &sent);
    MPI_Recv(&y, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
  tell();
  if (!strcmp(kind, "barrier") && rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Recv(&y, 1, MPI_INT, strcmp(kind, "wildcard") ? left : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
