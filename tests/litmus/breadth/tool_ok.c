// The tool interface: all variables and categories are looked at, those that can be read are read.
// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)
#define LENGTH 256

static char name[LENGTH], words[LENGTH];

static void enumeration(MPI_T_enum e) {
  if (e == MPI_T_ENUM_NULL) return;
  int items, value, n = LENGTH;
  MPI_T_enum_get_info(e, &items, name, &n);
  for (int i = 0; i < items; ++i) {
    n = LENGTH;
    MPI_T_enum_get_item(e, i, &value, name, &n);
  }
}

// Control variables of this process that hold one integer are written as they are.
static int control(void) {
  int variables, read = 0;
  MPI_T_cvar_get_num(&variables);
  for (int i = 0; i < variables; ++i) {
    int n = LENGTH, w = LENGTH, verbosity, binding, scope, count, again;
    MPI_Datatype type;
    MPI_T_enum e;
    if (MPI_T_cvar_get_info(i, name, &n, &verbosity, &type, &e, words, &w, &binding, &scope))
      continue;
    if (MPI_T_cvar_get_index(name, &again) == MPI_SUCCESS) CHECK(again >= 0 && again < variables);
    enumeration(e);
    if (binding != MPI_T_BIND_NO_OBJECT || type != MPI_INT) continue;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_handle_alloc(i, NULL, &handle, &count)) continue;
    int* value = malloc((count > 0 ? count : 1) * sizeof(int));
    if (count == 1 && MPI_T_cvar_read(handle, value) == MPI_SUCCESS) {
      ++read;
      if (scope == MPI_T_SCOPE_LOCAL || scope == MPI_T_SCOPE_ALL) MPI_T_cvar_write(handle, value);
    }
    free(value);
    MPI_T_cvar_handle_free(&handle);
  }
  return read;
}

static void performance(void) {
  int variables;
  MPI_T_pvar_session session;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_get_num(&variables);
  for (int i = 0; i < variables; ++i) {
    int n = LENGTH, w = LENGTH, verbosity, class, binding, readonly, continuous, atomic, count, at;
    MPI_Datatype type;
    MPI_T_enum e;
    if (MPI_T_pvar_get_info(i, name, &n, &verbosity, &class, &type, &e, words, &w, &binding,
                            &readonly, &continuous, &atomic))
      continue;
    MPI_T_pvar_get_index(name, class, &at);
    enumeration(e);
    // Open MPI's variables of hardware that is not there make the library itself crash.
    if (binding != MPI_T_BIND_NO_OBJECT || strstr(name, "psm2") != NULL) continue;
    MPI_T_pvar_handle handle;
    if (MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &count)) continue;
    double values[64];
    if (!continuous) MPI_T_pvar_start(session, handle);
    if (count > 0 && count <= 64) {
      MPI_T_pvar_read(session, handle, values);
      if (!readonly) {
        MPI_T_pvar_write(session, handle, values);
        MPI_T_pvar_readreset(session, handle, values);
        MPI_T_pvar_reset(session, handle);
      }
    }
    if (!continuous) MPI_T_pvar_stop(session, handle);
    MPI_T_pvar_handle_free(session, &handle);
  }
  MPI_T_pvar_session_free(&session);
}

static void categories(void) {
  int stamp, total;
  MPI_T_category_changed(&stamp);
  MPI_T_category_get_num(&total);
  for (int i = 0; i < total; ++i) {
    int n = LENGTH, w = LENGTH, cvars, pvars, below, at;
    if (MPI_T_category_get_info(i, name, &n, words, &w, &cvars, &pvars, &below)) continue;
    if (MPI_T_category_get_index(name, &at) == MPI_SUCCESS) CHECK(at >= 0 && at < total);
    int* list = malloc((cvars + pvars + below + 1) * sizeof(int));
    MPI_T_category_get_cvars(i, cvars, list);
    MPI_T_category_get_pvars(i, pvars, list);
    MPI_T_category_get_categories(i, below, list);
    free(list);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int provided;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  CHECK(control() > 0);
  performance();
  categories();
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
