// Copies standard input to standard output, says a word on standard error, and ends with the status given.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int c;
    while ((c = getchar()) != EOF) putchar(c);
    fputs("said on stderr\n", stderr);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return argc > 1 && rank == 0 ? atoi(argv[1]) : 0;
}
