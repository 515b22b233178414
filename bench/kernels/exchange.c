// Messages to the right, from the left, again and again: what a run costs that is full of them.
//
//     exchange MESSAGES        prints the seconds of the loop
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int messages = argc > 1 ? atoi(argv[1]) : 1000;
  int rank, size;
  double out[8] = {0}, in[8];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  for (int i = 0; i < messages; ++i) {
    MPI_Request request;
    MPI_Isend(out, 8, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD, &request);
    MPI_Recv(in, 8, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  const double mine = MPI_Wtime() - begun;
  double longest = 0;
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("loop %.6f\n", longest);
  MPI_Finalize();
  return 0;
}
