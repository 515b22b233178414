// vouch: run -n 4
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, one = 1, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm row, column;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
  MPI_Comm first = row;
  MPI_Comm second = column;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, first);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, second);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Finalize();
  return 0;
}
