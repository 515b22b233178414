// vouch: run -n 1
// expect: error argument/count @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Request none[1] = {MPI_REQUEST_NULL};
  MPI_Waitall(-1, none, MPI_STATUSES_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
