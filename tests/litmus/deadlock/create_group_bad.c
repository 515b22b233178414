// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 0;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  if (rank == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);  // @a
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
  }
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
