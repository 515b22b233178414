// A data representation of the program's own is announced; no file has to use it.
// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stddef.h>

static int extent(MPI_Datatype type, MPI_Aint* bytes, void* extra) {
  MPI_Aint lb;
  return MPI_Type_get_extent(type, &lb, bytes);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  // Open MPI 4 refuses every representation but its own.
  MPI_Register_datarep("mine", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, NULL);
  MPI_Finalize();
  return 0;
}
