// vouch: run -n 3
// expect: error rma/window @a @b
// expect: error rma/window @c @d
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
  if (rank == 1)
    MPI_Win_create(memory, 16, sizeof(int), info, MPI_COMM_WORLD, &win);  // @a
  else
    MPI_Win_create(memory, 32, sizeof(int), info, MPI_COMM_WORLD, &win);  // @b
  MPI_Win_free(&win);
  MPI_Info_delete(info, "same_size");
  MPI_Info_set(info, "same_disp_unit", "true");
  if (rank == 2)
    MPI_Win_create(memory, 32, 1, info, MPI_COMM_WORLD, &win);  // @c
  else
    MPI_Win_create(memory, 32, sizeof(int), info, MPI_COMM_WORLD, &win);  // @d
  MPI_Info_free(&info);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
