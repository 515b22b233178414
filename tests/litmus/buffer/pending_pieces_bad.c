// vouch: run -n 2
// expect: error buffer/pending-overlap @a
//
// Two receives into the odd and the even elements of an array, in more pieces than can be compared
// one with another, and one of the odd ones is even.
#include <mpi.h>
#include <stdlib.h>

enum { kPieces = 250000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, *even = malloc(kPieces * sizeof *even), *odd = malloc(kPieces * sizeof *odd);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* all = calloc(4 * kPieces + 4, sizeof *all);
  // In no order, and not at one distance.
  for (int i = 0; i < kPieces; ++i) {
    const int k = (int)((long long)i * 7919 % kPieces);
    even[i] = 4 * k + 2 * (k % 2);
    odd[i] = even[i] + 1;
  }
  odd[kPieces / 2] = even[kPieces / 3];
  MPI_Datatype types[2];
  MPI_Type_create_indexed_block(kPieces, 1, even, MPI_DOUBLE, &types[0]);
  MPI_Type_create_indexed_block(kPieces, 1, odd, MPI_DOUBLE, &types[1]);
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Type_commit(&types[i]);
  if (rank == 0) {
    MPI_Irecv(all, 1, types[0], 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(all, 1, types[1], 1, 1, MPI_COMM_WORLD, &requests[1]);  // @a
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < 2; ++i) MPI_Send(all, kPieces, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 2; ++i) MPI_Type_free(&types[i]);
  free(all);
  free(even);
  free(odd);
  MPI_Finalize();
  return 0;
}
