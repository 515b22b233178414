// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int lengths[2] = {1, 2};
  MPI_Aint displs[2] = {0, 8};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
  MPI_Type_create_struct(2, lengths, displs, types, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&type);
  MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
