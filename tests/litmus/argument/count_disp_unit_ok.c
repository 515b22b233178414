// vouch: run -n 2
// expect: clean
// Any positive unit, also one that does not divide the size; size 0 without memory.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int room[4];
  MPI_Win odd, empty;
  MPI_Win_create(room, sizeof room, 3, MPI_INFO_NULL, MPI_COMM_WORLD, &odd);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &empty);
  MPI_Win_free(&odd);
  MPI_Win_free(&empty);
  MPI_Finalize();
  return 0;
}
