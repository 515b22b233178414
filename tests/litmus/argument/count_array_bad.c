// vouch: run -n 1
// expect: error argument/count @a
// An entry of an array counts like a scalar.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int in[2] = {1, 2}, out[2], counts[1] = {-2}, displs[1] = {0};
  MPI_Gatherv(in, 2, MPI_INT, out, counts, displs, MPI_INT, 0, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
