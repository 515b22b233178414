// vouch: run -n 1
// expect: error type/constructor @a
// also: crash
// A grid of 2 x 2 processes is not 6.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int sizes[2] = {8, 8}, grid[2] = {2, 2};
  int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
  int dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int code = MPI_Type_create_darray(6, 0, 2, sizes, distribs, dargs, grid, MPI_ORDER_C, MPI_INT, &type);  // @a
  if (code == MPI_SUCCESS) MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
