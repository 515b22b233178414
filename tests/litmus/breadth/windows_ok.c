// What a window says of itself and has attached to it.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

static int errors, deleted;
static void count(MPI_Win* win, int* error, ...) { ++errors; }
static int forget(MPI_Win win, int keyval, void* value, void* extra) {
  ++deleted;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory[4] = {0}, keyval, flag, length, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Win_set_name(win, "window");
  MPI_Win_get_name(win, name, &length);
  CHECK(strcmp(name, "window") == 0 && length == 6);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &keyval, NULL);
  int* value;
  MPI_Win_set_attr(win, keyval, memory);
  MPI_Win_get_attr(win, keyval, &value, &flag);
  CHECK(flag && value == memory);
  MPI_Win_delete_attr(win, keyval);
  CHECK(deleted == 1);
  MPI_Win_free_keyval(&keyval);
  void* base;
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  CHECK(flag && base == memory);
  MPI_Info info;
  MPI_Win_get_info(win, &info);
  MPI_Win_set_info(win, info);
  MPI_Info_free(&info);
  MPI_Errhandler handler, old;
  MPI_Win_create_errhandler(count, &handler);
  MPI_Win_get_errhandler(win, &old);
  MPI_Win_set_errhandler(win, handler);
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(errors == 1);
  MPI_Win_set_errhandler(win, old);
  MPI_Errhandler_free(&old);
  MPI_Errhandler_free(&handler);

  MPI_Group world, other;
  const int peer = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &peer, &other);
  if (rank == 0) {
    MPI_Win_post(other, 0, win);
    for (flag = 0; !flag;) MPI_Win_test(win, &flag);
  } else {
    MPI_Win_start(other, 0, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&other);
  MPI_Win_lock_all(0, win);
  memory[0] = rank;
  MPI_Win_sync(win);
  MPI_Win_flush(peer, win);
  MPI_Win_flush_local(peer, win);
  MPI_Win_flush_all(win);
  MPI_Win_flush_local_all(win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
