// vouch: run -n 2
// expect: error argument/communicator @a
// A communicator that is freed too early: one mistake, however many lines use it.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank, size, x = 0;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
  MPI_Comm_rank(comm, &rank);  // @a
  MPI_Comm_size(comm, &size);
  MPI_Barrier(comm);
  for (int i = 0; i < 3; ++i) MPI_Send(&x, 1, MPI_INT, 0, i, comm);
  MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
