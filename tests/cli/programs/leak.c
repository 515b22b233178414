// A warning and no error: a communicator that is never freed.

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Finalize();
  return argc > 1 ? 7 : 0;
}
