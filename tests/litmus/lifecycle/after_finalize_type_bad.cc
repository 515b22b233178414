// vouch: run -n 1
// expect: error lifecycle/after-finalize @a
// also: crash
// Freed too late: that it was not freed before is the same mistake.
#include <mpi.h>

struct Type {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  ~Type() {
    MPI_Type_free(&type);  // @a
  }
};
static Type cache;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_INT, &cache.type);
  MPI_Finalize();
  return 0;
}
