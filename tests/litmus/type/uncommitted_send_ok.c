// vouch: run -n 1
// expect: clean
// [U23]: an inner type needs no commit; commits twice and of predefined types; queries of an uncommitted type.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[8] = {0}, size;
  MPI_Aint lb, extent;
  MPI_Datatype column, two, again, integer = MPI_INT;
  MPI_Type_vector(4, 1, 2, MPI_INT, &column);
  MPI_Type_size(column, &size);
  MPI_Type_get_extent(column, &lb, &extent);
  MPI_Type_create_resized(column, 0, 4, &two);
  MPI_Type_commit(&two);
  MPI_Type_commit(&two);
  MPI_Type_commit(&integer);
  MPI_Type_dup(two, &again);
  MPI_Send(x, 2, two, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  MPI_Send(x, 1, again, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  MPI_Type_free(&again);
  MPI_Type_free(&two);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
