// predict: -n 4
// verdict: clean
// Gaussian elimination, one row for each rank: a rank takes the finished rows before its own in the order in which they come, and hands
// its own to all behind it.
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { MOST = 16 };

int main(int argc, char** argv) {
  int rank, size;
  double mine[MOST + 2] = {0}, row[MOST + 2];  // coefficients, right side, which row it is
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > MOST) MPI_Abort(MPI_COMM_WORLD, 1);
  double rows[MOST][MOST + 2];
  for (int j = 0; j < size; ++j) mine[j] = j == rank ? 10 + rank : 1.0 / (1 + rank + j);
  mine[MOST] = rank;
  mine[MOST + 1] = rank;
  // Rows may come out of order; they are used in order.
  for (int i = 0; i < rank; ++i) {
    MPI_Recv(row, MOST + 2, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = 0; j < MOST + 2; ++j) rows[(int)row[MOST + 1]][j] = row[j];
  }
  for (int i = 0; i < rank; ++i) {
    const double factor = mine[i] / rows[i][i];
    for (int j = i; j < size; ++j) mine[j] -= factor * rows[i][j];
    mine[MOST] -= factor * rows[i][MOST];
  }
  for (int p = rank + 1; p < size; ++p) MPI_Send(mine, MOST + 2, MPI_DOUBLE, p, 1, MPI_COMM_WORLD);
  if (rank == size - 1) printf("%f\n", mine[MOST] / mine[rank]);
  MPI_Finalize();
  return 0;
}
