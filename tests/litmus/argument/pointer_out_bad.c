// vouch: run -n 1
// expect: error argument/pointer @a
// expect: error argument/pointer @b
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, NULL);  // @a
  MPI_Comm_group(MPI_COMM_WORLD, NULL);  // @b
  MPI_Finalize();
  return 0;
}
