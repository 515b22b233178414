// vouch: run -n 2
// expect: error type/mismatch @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double memory[8] = {0};
  int lengths[3] = {1, 1, 2};
  MPI_Aint at[3] = {0, 8, 16};
  MPI_Datatype ours[3] = {MPI_INT, MPI_DOUBLE, MPI_INT}, theirs[3] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT}, type;
  MPI_Type_create_struct(3, lengths, at, rank == 0 ? ours : theirs, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(memory, 2, type, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(memory, 2, type, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
