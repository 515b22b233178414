// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    MPI_Request r[2];
    MPI_Irecv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
    int index;
    MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  }
  if (rank == 2) MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
