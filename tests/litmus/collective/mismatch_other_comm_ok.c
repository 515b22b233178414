// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm rows, columns;
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  MPI_Comm_dup(MPI_COMM_WORLD, &columns);
  for (int root = 0; root < 2; ++root)
    MPI_Bcast(&value, 1, MPI_INT, root, root == 0 ? rows : columns);
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
  MPI_Finalize();
  return 0;
}
