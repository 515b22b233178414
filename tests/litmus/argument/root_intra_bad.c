// vouch: run -n 1
// expect: error argument/root @a
// expect: error argument/root @b
// MPI_ROOT and MPI_PROC_NULL belong to inter-communicators.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x = 1, y = 0;
  MPI_Bcast(&x, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD);  // @a
  MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_PROC_NULL, MPI_COMM_WORLD);  // @b
  MPI_Finalize();
  return 0;
}
