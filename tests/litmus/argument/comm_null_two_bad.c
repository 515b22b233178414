// vouch: run -n 2
// expect: error argument/communicator @a
// expect: error argument/communicator @b
// Two communicators that are freed too early are two mistakes.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank, size;
  MPI_Comm one, two;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
  MPI_Comm_rank(one, &rank);  // @a
  MPI_Comm_size(two, &size);  // @b
  MPI_Finalize();
  return 0;
}
