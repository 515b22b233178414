// vouch: run -n 1
// expect: clean
// requires: large-count
// [U44]: counts above 2^31 in constructors.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  MPI_Count size;
  MPI_Type_contiguous_c(5000000000LL, MPI_DOUBLE, &type);
  MPI_Type_size_c(type, &size);
  MPI_Type_commit(&type);
  MPI_Type_free(&type);
  MPI_Finalize();
  return size != 40000000000LL;
}
