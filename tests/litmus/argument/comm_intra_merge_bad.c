// vouch: run -n 1
// expect: error argument/communicator @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm merged;
  MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &merged);  // @a
  MPI_Finalize();
  return 0;
}
