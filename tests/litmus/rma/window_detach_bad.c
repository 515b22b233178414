// vouch: run -n 2
// expect: error rma/window @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static _Alignas(64) int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_attach(win, memory, sizeof memory);
  if (rank == 0) MPI_Win_detach(win, memory + 1);  // @a
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
