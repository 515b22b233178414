// vouch: run -n 2
// expect: clean
// requires: sessions
// [U40]: sessions twice, never MPI_Init.
#include <mpi.h>

static void use(MPI_Session session, const char* tag) {
  MPI_Group group;
  MPI_Comm comm;
  int sum, one = 1;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
}

int main(void) {
  MPI_Session first, second;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
  use(first, "one");
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
  use(second, "two");
  MPI_Session_finalize(&first);
  use(second, "three");
  MPI_Session_finalize(&second);
  return 0;
}
