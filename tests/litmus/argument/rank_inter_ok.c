// vouch: run -n 3
// expect: clean
// Rank 1 of the remote group exists, though the local group has one member only.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, inter;
  int x = 1;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 9, &inter);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 7, inter);
  if (rank == 2) MPI_Recv(&x, 1, MPI_INT, 0, 7, inter, MPI_STATUS_IGNORE);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
