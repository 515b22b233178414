// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int sizes[1] = {4}, parts[1] = {2}, starts[1] = {2};
  MPI_Datatype type;
  MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Type_create_subarray(1, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
