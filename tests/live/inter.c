// predict: -n 4
// verdict: clean
// Messages and collectives between two groups. Nothing is left to chance: there is no other schedule to predict.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 1, y = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int low = rank < 2;
  MPI_Comm local, inter;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? 2 : 0, 12, &inter);
  MPI_Barrier(inter);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, inter);
  MPI_Sendrecv(&x, 1, MPI_INT, rank % 2, 3, &y, 1, MPI_INT, rank % 2, 3, inter, MPI_STATUS_IGNORE);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  MPI_Finalize();
  return 0;
}
