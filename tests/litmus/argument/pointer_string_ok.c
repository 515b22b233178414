// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_name(MPI_COMM_WORLD, "");
  MPI_Comm_set_name(MPI_COMM_WORLD, "world");
  MPI_Finalize();
  return 0;
}
