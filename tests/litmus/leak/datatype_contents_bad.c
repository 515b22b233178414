// vouch: run -n 1
// expect: warning leak/datatype @a [openmpi]
// expect: warning leak/datatype @b [mpich]
// A derived type that MPI_Type_get_contents hands out is the caller's to free. With MPICH it is the same handle again,
// so what is left over is the type made first.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype pair, two, inner;
  int count;
  MPI_Type_contiguous(2, MPI_INT, &pair);  // @b
  MPI_Type_contiguous(2, pair, &two);
  MPI_Type_get_contents(two, 1, 0, 1, &count, NULL, &inner);  // @a
  MPI_Type_free(&two);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
