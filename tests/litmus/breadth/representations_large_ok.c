// The same with large counts.
// vouch: run -n 1
// requires: large-count
// expect: clean
#include <mpi.h>
#include <stddef.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static int extent(MPI_Datatype type, MPI_Aint* bytes, void* extra) {
  MPI_Aint lb;
  return MPI_Type_get_extent(type, &lb, bytes);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  CHECK(MPI_Register_datarep_c("mine", MPI_CONVERSION_FN_NULL_C, MPI_CONVERSION_FN_NULL_C, extent,
                               NULL) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
