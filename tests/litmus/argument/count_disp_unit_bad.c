// vouch: run -n 1
// expect: error argument/count @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int* room;
  MPI_Win win = MPI_WIN_NULL;
  int code = MPI_Win_allocate(16, 0, MPI_INFO_NULL, MPI_COMM_SELF, &room, &win);  // @a
  if (code == MPI_SUCCESS) MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
