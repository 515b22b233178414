// The part of the tool interface that is about events.
// vouch: run -n 1
// requires: mpich
// expect: clean
#include <mpi.h>
#include <stddef.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)
#define LENGTH 256

static void heard(MPI_T_event_instance instance, MPI_T_event_registration registration,
                  MPI_T_cb_safety safety, void* data) {
  char bytes[4096];
  MPI_Count stamp;
  int source;
  MPI_T_event_get_timestamp(instance, &stamp);
  MPI_T_event_get_source(instance, &source);
  MPI_T_event_read(instance, 0, bytes);
  MPI_T_event_copy(instance, bytes);
}
static void lost(MPI_Count count, MPI_T_event_registration registration, int source,
                 MPI_T_cb_safety safety, void* data) {}
static void released(MPI_T_event_registration registration, MPI_T_cb_safety safety, void* data) {}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int provided, sources, events, total;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  char name[LENGTH], words[LENGTH];
  MPI_T_source_get_num(&sources);
  for (int i = 0; i < sources; ++i) {
    int n = LENGTH, w = LENGTH;
    MPI_T_source_order order;
    MPI_Count per_second, most, now;
    MPI_Info info;
    if (MPI_T_source_get_info(i, name, &n, words, &w, &order, &per_second, &most, &info)) continue;
    MPI_T_source_get_timestamp(i, &now);
    MPI_Info_free(&info);
  }
  MPI_T_event_get_num(&events);
  for (int i = 0; i < events; ++i) {
    int n = LENGTH, w = LENGTH, verbosity, binding, elements = 0, at;
    MPI_T_enum e;
    MPI_Info info;
    if (MPI_T_event_get_info(i, name, &n, &verbosity, NULL, NULL, &elements, &e, &info, words, &w,
                             &binding))
      continue;
    MPI_Info_free(&info);
    MPI_T_event_get_index(name, &at);
    MPI_T_event_registration registration;
    if (binding != MPI_T_BIND_NO_OBJECT ||
        MPI_T_event_handle_alloc(i, NULL, MPI_INFO_NULL, &registration))
      continue;
    MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, heard);
    MPI_T_event_set_dropped_handler(registration, lost);
    MPI_T_event_handle_get_info(registration, &info);
    MPI_T_event_handle_set_info(registration, info);
    MPI_Info_free(&info);
    MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info);
    MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, info);
    MPI_Info_free(&info);
    MPI_T_event_handle_free(registration, NULL, released);
  }
  MPI_T_category_get_num(&total);
  for (int i = 0; i < total; ++i) {
    int count = 0, list[64];
    MPI_T_category_get_num_events(i, &count);
    MPI_T_category_get_events(i, count < 64 ? count : 64, list);
  }
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
