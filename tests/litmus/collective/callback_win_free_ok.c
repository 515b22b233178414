// vouch: run -n 2
// expect: clean
// requires: mpich
// Attributes of windows: the delete function runs inside MPI_Win_free.
#include <mpi.h>
#include <stddef.h>

static int drop(MPI_Win win, int key, void* value, void* state) {
  (void)key, (void)value, (void)state;
  return MPI_Win_fence(0, win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key, cell = 0;
  MPI_Win win;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop, &key, NULL);
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_attr(win, key, &cell);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Win_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
