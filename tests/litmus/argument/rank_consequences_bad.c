// vouch: run -n 2
// expect: error argument/rank @a
// also: crash
// [U4]: the broken call also hangs its partner, which holds a communicator and a datatype: one finding.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {1, 2};
  MPI_Comm comm;
  MPI_Datatype pair;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  if (rank == 0) MPI_Send(x, 1, pair, 2, 7, comm);  // @a
  if (rank == 1) MPI_Recv(x, 1, pair, 0, 7, comm, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
