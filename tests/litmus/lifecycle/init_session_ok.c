// vouch: run -n 1
// expect: clean
// requires: sessions
// Sessions may be opened at any time, repeatedly, beside the world.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Session first, second;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  MPI_Session_finalize(&second);
  MPI_Session_finalize(&first);
  MPI_Finalize();
  return 0;
}
