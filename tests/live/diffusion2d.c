// predict: -n 4
// finds: deadlock/ shown
// verdict: error
// Heat on a grid of processes, one value each. In every step all send to their neighbours before they receive: it ends only
// because messages are buffered.
#include <mpi.h>
#include <stdio.h>

enum { COLUMNS = 2, STEPS = 2 };

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int row = rank / COLUMNS, column = rank % COLUMNS, rows = size / COLUMNS;
  int neighbours[4], count = 0;
  if (row > 0) neighbours[count++] = rank - COLUMNS;
  if (row + 1 < rows) neighbours[count++] = rank + COLUMNS;
  if (column > 0) neighbours[count++] = rank - 1;
  if (column + 1 < COLUMNS) neighbours[count++] = rank + 1;
  double heat = rank == 0 ? 100 : 0, there, sum;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < count; ++i) MPI_Send(&heat, 1, MPI_DOUBLE, neighbours[i], step, MPI_COMM_WORLD);
    sum = 0;
    for (int i = 0; i < count; ++i) {
      MPI_Recv(&there, 1, MPI_DOUBLE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += there;
    }
    heat += 0.1 * (sum - count * heat);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    for (int p = 1; p < size; ++p) {
      MPI_Recv(&there, 1, MPI_DOUBLE, MPI_ANY_SOURCE, STEPS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      heat += there;
    }
    printf("%f\n", heat);
  } else {
    MPI_Send(&heat, 1, MPI_DOUBLE, 0, STEPS, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
