// vouch: run -n 1
// expect: clean
// [U28]: never predefined ones, nor those by precision.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype pair, real;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_create_f90_real(6, 30, &real);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
