// vouch: run -n 3
// expect: clean
//
// On a ring it gets something of rank 0, which has its message by then.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, dims[1] = {3}, periods[1] = {1};
  MPI_Comm line;
  MPI_Init(&argc, &argv);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Comm_rank(line, &rank);
  int x[2] = {rank, rank}, y[2] = {0, 0};
  if (rank == 1) MPI_Send(x, 1, MPI_INT, 0, 5, line);
  if (rank == 0) MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 5, line, MPI_STATUS_IGNORE);
  MPI_Neighbor_allgather(x, 1, MPI_INT, y, 1, MPI_INT, line);
  if (rank == 2) MPI_Send(x, 2, MPI_INT, 0, 5, line);
  if (rank == 0) MPI_Recv(y, 2, MPI_INT, MPI_ANY_SOURCE, 5, line, MPI_STATUS_IGNORE);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
