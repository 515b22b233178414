// vouch: run -n 1
// expect: clean
// label: c-only
// requires: sessions
// [U39]: since MPI-4.0 errors may be spelled out at any time.
#include <mpi.h>

static void use(void) {
  char text[MPI_MAX_ERROR_STRING];
  int class, length;
  MPI_Error_class(MPI_ERR_TAG, &class);
  MPI_Error_string(MPI_ERR_TAG, text, &length);
}

int main(int argc, char** argv) {
  use();
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  use();
  return 0;
}
