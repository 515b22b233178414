// vouch: run -n 1
// expect: error argument/tag @a
// requires: mpich
// Above this library's MPI_TAG_UB. (Open MPI's is the largest int.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int *ub, flag, x = 1;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
  MPI_Send(&x, 1, MPI_INT, 0, *ub + 1, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
