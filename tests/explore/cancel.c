// A receive that is cancelled in time took no message: those behind it have all of them.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, other = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Status status;
  if (rank == 0) {
    MPI_Request given_up, pending;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &given_up);
    MPI_Cancel(&given_up);
    MPI_Wait(&given_up, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &pending);
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // not if both had come from rank 1
    MPI_Wait(&pending, &status);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
