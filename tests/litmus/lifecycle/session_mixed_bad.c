// vouch: run -n 1
// expect: error lifecycle/session @a
// requires: sessions
// also: crash
// A group of a session and a group of the world in one call.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Session session;
  MPI_Group own, world, both = MPI_GROUP_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://SELF", &own);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_union(own, world, &both);  // @a
  if (both != MPI_GROUP_NULL && both != MPI_GROUP_EMPTY) MPI_Group_free(&both);
  MPI_Group_free(&world);
  MPI_Group_free(&own);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return 0;
}
