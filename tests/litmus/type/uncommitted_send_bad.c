// vouch: run -n 1
// expect: error type/uncommitted @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[8] = {0};
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 2, MPI_INT, &column);
  MPI_Send(x, 1, column, MPI_PROC_NULL, 7, MPI_COMM_WORLD);  // @a
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
