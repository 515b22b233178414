// vouch: run -n 1
// expect: error argument/attribute @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int value = 1000;
  MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value);  // @a
  MPI_Finalize();
  return 0;
}
