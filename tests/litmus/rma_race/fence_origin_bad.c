// vouch: run -n 2
// expect: error race/local @a @b
//
// What is got is sent before the fence has completed the Get.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  int token = 0;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  if (rank == 0) {
    MPI_Get(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // @a
    MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @b
  } else {
    MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
