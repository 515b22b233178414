// predict: -n 4
// verdict: clean
// All shortest paths: each rank has some rows, and the row of step k goes from rank to rank, each to its successor. Rank 0 gathers in any order.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 2, MOST = 64, FAR = 1000000 };

int main(int argc, char** argv) {
  int rank, size, mine[ROWS][MOST], row[MOST];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = ROWS * size, next = (rank + 1) % size, before = (rank + size - 1) % size;
  if (n > MOST) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < n; ++j) {
      const int at = ROWS * rank + i;
      mine[i][j] = at == j ? 0 : (at * 7 + j * 3) % 5 == 0 ? 1 + (at + j) % 9 : FAR;
    }
  for (int k = 0; k < n; ++k) {
    const int owner = k / ROWS;
    if (rank == owner)
      memcpy(row, mine[k % ROWS], sizeof(row));
    else
      MPI_Recv(row, n, MPI_INT, before, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (next != owner) MPI_Send(row, n, MPI_INT, next, k, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS; ++i)
      for (int j = 0; j < n; ++j)
        if (mine[i][k] + row[j] < mine[i][j]) mine[i][j] = mine[i][k] + row[j];
  }
  long sum = 0, there;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < n; ++j) sum += mine[i][j];
  if (rank == 0) {
    for (int p = 1; p < size; ++p) {
      MPI_Recv(&there, 1, MPI_LONG, MPI_ANY_SOURCE, MOST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += there;
    }
    printf("%ld\n", sum);
  } else {
    MPI_Send(&sum, 1, MPI_LONG, 0, MOST, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
