// vouch: run -n 3
// expect: clean
//
// What is promised holds, and what differs is not promised.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[8];
  MPI_Win win;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "same_size", "true");
  MPI_Win_create(memory, 16, rank + 1, info, MPI_COMM_WORLD, &win);
  MPI_Win_free(&win);
  MPI_Info_delete(info, "same_size");
  MPI_Info_set(info, "same_disp_unit", "true");
  MPI_Win_create(memory, 8 * rank, sizeof(int), info, MPI_COMM_WORLD, &win);
  MPI_Info_free(&info);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
