// vouch: run -n 1
// expect: error leak/session @a
// requires: sessions
// also: crash
#include <mpi.h>

int main(void) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);  // @a
  return 0;
}
