// vouch: run -n 1
// expect: clean
// requires: sessions
#include <mpi.h>

int main(void) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_finalize(&session);
  return 0;
}
