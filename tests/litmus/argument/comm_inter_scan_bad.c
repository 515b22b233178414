// vouch: run -n 2
// expect: error argument/communicator @a
// MPI_Scan is not defined on an inter-communicator.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm inter;
  int in = 1, out;
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 9, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, inter);  // @a
  MPI_Comm_free(&inter);
  MPI_Finalize();
  return 0;
}
