// vouch: run -n 1
// expect: warning leak/window @a
// requires: openmpi
// (MPICH's UCX ends the program for it, in MPI_Finalize.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int* room;
  MPI_Win win;
  MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_SELF, &room, &win);  // @a
  MPI_Finalize();
  return 0;
}
