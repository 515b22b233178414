// Integrates 4/(1+x*x) over [0, 1]: every rank a part, rank 0 adds what it gets from anybody. With n
// ranks there are (n-1)! orders.
//
//     integrate [print] [claim] [leak] [lose] [odd] [first] [again]
//
//   print  the sum, with all its digits: what is printed depends on the order
//   claim  VOUCH_ASSERT that rank 2's part does not come last
//   leak   a request is left to itself if rank 2's part comes last
//   lose   rank 0 does not take the last part
//   odd    rank 0 fails if rank 2's part comes last
//   first  rank 0 tells rank 1 whose part came first: others can notice the order
//   again  twice, with a barrier between
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include "vouch.h"

static int has(int argc, char** argv, const char* word) {
  for (int i = 1; i < argc; ++i)
    if (!strcmp(argv[i], word)) return 1;
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, n = 1000, last = 0, first = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double sum = 0;
  for (int i = rank; i < n; i += size) {
    const double x = (i + 0.5) / n;
    sum += 4 / (1 + x * x) / n;
  }
  for (int round = 0; round < 1 + has(argc, argv, "again"); ++round) {
    if (round > 0) MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) {
      MPI_Send(&sum, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
      continue;
    }
    for (int i = 1; i < size - has(argc, argv, "lose"); ++i) {
      double part;
      MPI_Status status;
      MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
      sum += part;
      last = status.MPI_SOURCE;
      if (i == 1) first = last;
    }
  }
  if (has(argc, argv, "claim")) VOUCH_ASSERT(last != 2, last);
  if (has(argc, argv, "leak") && rank == 0) {
    MPI_Request request;
    MPI_Isend(&n, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
    if (last != 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (has(argc, argv, "leak") && rank == 1)
    MPI_Recv(&n, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (has(argc, argv, "first")) {
    if (rank == 0) MPI_Send(&first, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&first, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0 && has(argc, argv, "print")) printf("%.17g\n", sum);
  MPI_Finalize();
  return rank == 0 && has(argc, argv, "odd") && last == 2 ? 3 : 0;
}
