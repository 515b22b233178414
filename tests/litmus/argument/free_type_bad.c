// vouch: run -n 1
// expect: error argument/free-predefined @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Datatype type = MPI_INT;
  MPI_Type_free(&type);  // @a
  MPI_Finalize();
  return 0;
}
