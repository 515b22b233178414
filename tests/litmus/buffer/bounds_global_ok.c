// vouch: run --check-buffers -n 2
// expect: clean
// A row, a column and the whole of a matrix; a type over two objects by their addresses.
#include <mpi.h>

double matrix[4][5];
int first[2], second[3];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype column, both;
  MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Bcast(matrix[3], 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&matrix[0][4], 1, column, 0, MPI_COMM_WORLD);
  MPI_Bcast(matrix, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Aint at[2];
  int lengths[2] = {2, 3};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Get_address(first, &at[0]);
  MPI_Get_address(second, &at[1]);
  MPI_Type_create_struct(2, lengths, at, types, &both);
  MPI_Type_commit(&both);
  MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD);
  MPI_Type_free(&both);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
