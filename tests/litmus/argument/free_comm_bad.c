// vouch: run -n 1
// expect: error argument/free-predefined @a
// expect: error argument/free-predefined @b
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm world = MPI_COMM_WORLD, none = MPI_COMM_NULL;
  MPI_Comm_free(&world);  // @a
  MPI_Comm_free(&none);  // @b
  MPI_Finalize();
  return 0;
}
