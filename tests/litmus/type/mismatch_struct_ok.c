// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double memory[8] = {0};
  int lengths[3] = {1, 1, 2};
  MPI_Aint at[3] = {0, 8, 16}, elsewhere[3] = {32, 8, 40};
  MPI_Datatype fields[3] = {MPI_INT, MPI_DOUBLE, MPI_INT}, type;
  MPI_Type_create_struct(3, lengths, rank == 0 ? at : elsewhere, fields, &type);
  MPI_Type_commit(&type);
  if (rank == 0) {
    MPI_Send(memory, 1, type, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(memory, 1, type, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
