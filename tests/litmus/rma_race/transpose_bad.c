// vouch: run -n 4
// expect: error rma/race @a @b
//
// A matrix is spread by rows; each process puts the columns of its rows where they are rows.
// Planted: the result is collected in the epoch in which it is made.
#include <mpi.h>

enum { kRanks = 4, kRows = 3, kSize = kRanks * kRows };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static double from[kRows][kSize], to[kRows][kSize], all[kSize][kSize];
  for (int r = 0; r < kRows; r++)
    for (int c = 0; c < kSize; c++) from[r][c] = 100 * (rank * kRows + r) + c;
  MPI_Datatype column;
  MPI_Type_vector(kRows, 1, kSize, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Win win;
  MPI_Win_create(to, sizeof to, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int target = 0; target < kRanks; target++)
    for (int r = 0; r < kRows; r++)
      MPI_Put(&from[r][target * kRows], kRows, MPI_DOUBLE, target, rank * kRows + r, 1, column, win);  // @a
  MPI_Gather(to, kRows * kSize, MPI_DOUBLE, all, kRows * kSize, MPI_DOUBLE, 0, MPI_COMM_WORLD);  // @b
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
