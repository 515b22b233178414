// Master and workers: blocks are dealt out one by one, results come from whoever is ready.
// With a second argument the order of results is printed; with "bug" the master loses a block when
// a worker other than the first is the first one ready.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWork = 1, kStop = 2, kResult = 3 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, blocks = argc > 1 ? atoi(argv[1]) : 5;
  const char* mode = argc > 2 ? argv[2] : "";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int b = 0;
  MPI_Bcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    int dealt = 0, sum = 0;
    for (int w = 1; w < size && dealt < blocks; ++w, ++dealt)
      MPI_Send(&dealt, 1, MPI_INT, w, kWork, MPI_COMM_WORLD);
    for (int done = 0; done < blocks; ++done) {
      int result;
      MPI_Status status;
      MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, kResult, MPI_COMM_WORLD, &status);
      sum = sum * 3 + result;
      const int more = dealt < blocks;
      if (!strcmp(mode, "bug") && done == 0 && status.MPI_SOURCE != 1) continue;
      MPI_Send(&dealt, 1, MPI_INT, status.MPI_SOURCE, more ? kWork : kStop, MPI_COMM_WORLD);
      dealt += more;
    }
    if (!strcmp(mode, "print")) printf("sum %d\n", sum);
  } else {
    for (;;) {
      int block;
      MPI_Status status;
      MPI_Recv(&block, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == kStop) break;
      MPI_Send(&block, 1, MPI_INT, 0, kResult, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
