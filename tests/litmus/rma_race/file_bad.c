// vouch: run -n 2
// expect: error race/local @a @b
//
// Written to a file before it has come.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_File file;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Get(x, 4, MPI_INT, 1, 0, 4, MPI_INT, win);  // @a
    MPI_File_write(file, x, 4, MPI_INT, MPI_STATUS_IGNORE);  // @b
  }
  MPI_Win_unlock_all(win);
  MPI_File_close(&file);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
