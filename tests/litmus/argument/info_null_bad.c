// vouch: run -n 1
// expect: error argument/info @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Info_set(MPI_INFO_NULL, "key", "value");  // @a
  MPI_Finalize();
  return 0;
}
