// Rank 0 sends as fast as it can; rank 1 receives, and is slower: each so many messages it computes for a while. In the
// end it checks the sum of what it got.
//
//   ahead MESSAGES WORK
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long messages = argc > 1 ? atol(argv[1]) : 1000000, work = argc > 2 ? atol(argv[2]) : 1000;
  long sum = 0;
  for (long i = 0; i < messages; ++i) {
    if (rank == 0) {
      MPI_Send(&i, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      long got = 0;
      MPI_Recv(&got, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += got;
      for (volatile long w = 0; w < work; ++w) {
      }
    }
  }
  if (rank == 1) printf("sum %s\n", sum == messages * (messages - 1) / 2 ? "right" : "WRONG");
  MPI_Finalize();
  return 0;
}
