// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float value = 1;
  MPI_Datatype type = MPI_FLOAT;
  if (rank == 0) {
    for (i = 0; i < 3; ++i) MPI_Send(&value, 1, type, 1, i, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&value, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_FLOAT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
