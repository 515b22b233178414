// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// Only between the elements.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  static int memory[16];
  int x[16] = {0};
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Datatype every_other;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(x, 4, MPI_INT, 1, 0, 1, every_other, win);
  if (rank == 1) {
    memory[1] = 1;
    memory[7] = 1;
  }
  MPI_Win_fence(0, win);
  MPI_Type_free(&every_other);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
