// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// The same line, but some ranks reduce over the rows and some over the columns of a grid.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, one = 1, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm row, column;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
  MPI_Comm first = rank == 0 || rank == 3 ? row : column;
  MPI_Comm second = rank == 0 || rank == 3 ? column : row;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, first);  // @a
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, second);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Finalize();
  return 0;
}
