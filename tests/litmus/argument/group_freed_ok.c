// vouch: run -n 2
// expect: clean
// [U22]: a group may go as soon as the communicator is made from it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group world;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_create(MPI_COMM_WORLD, world, &comm);
  MPI_Group_free(&world);
  MPI_Barrier(comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
