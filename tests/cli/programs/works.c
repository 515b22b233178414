// Passes messages around for the seconds given, says "up" at its start and "done" at its end. Between them each rank sends
// itself so many as the second argument says: however seldom two ranks run at once, its ring gets full.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, go = 1, x = 0, y;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 1);
  const int alone = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    puts("up");
    fflush(stdout);
  }
  while (go) {
    for (int i = 0; i < alone; ++i)
      MPI_Sendrecv(&x, 1, MPI_INT, 0, 2, &y, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; ++i) {
      MPI_Request request;
      int done = 0;
      MPI_Irecv(&y, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &request);
      MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
      while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    go = MPI_Wtime() < end;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) {
    puts("done");
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
