// What a session says of itself and of its process sets.
// vouch: run -n 2
// requires: sessions
// expect: clean
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) abort()

static int errors;
static void count(MPI_Session* session, int* error, ...) { ++errors; }

int main(void) {
  MPI_Session session;
  MPI_Errhandler handler, old;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Session_create_errhandler(count, &handler);
  MPI_Session_get_errhandler(session, &old);
  MPI_Session_set_errhandler(session, handler);
  MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
  CHECK(errors == 1);
  MPI_Session_set_errhandler(session, old);
  MPI_Errhandler_free(&old);
  MPI_Errhandler_free(&handler);

  MPI_Info info;
  MPI_Session_get_info(session, &info);
  MPI_Info_free(&info);
  int sets, length = 0, found = 0, flag;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
  for (int i = 0; i < sets; ++i) {
    char name[MPI_MAX_PSET_NAME_LEN];
    length = 0;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    if (strcmp(name, "mpi://WORLD") == 0) ++found;
  }
  CHECK(found == 1);
  char size[16];
  length = sizeof(size);
  MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
  MPI_Info_get_string(info, "mpi_size", &length, size, &flag);
  CHECK(flag && strcmp(size, "2") == 0);
  MPI_Info_free(&info);

  MPI_Session_finalize(&session);
  return 0;
}
