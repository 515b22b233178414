// vouch: run -n 1
// expect: clean
// requires: sessions
// Datatypes, ops and info belong to no session.
#include <mpi.h>

static void exchange(MPI_Datatype type, const char* tag) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int in[2] = {1, 2}, out[2];
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://SELF", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Sendrecv(in, 1, type, 0, 0, out, 1, type, 0, 0, comm, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  exchange(pair, "first");
  exchange(pair, "second");
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
