// vouch: run -n 2
// expect: error rma/race @a @b
// compile: vouch cc
//
// The target stores into what it has exposed.
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
  MPI_Group world, other;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int partner = 1 - rank;
  MPI_Group_incl(world, 1, &partner, &other);
  if (rank == 0) {
    MPI_Win_start(other, 0, win);
    MPI_Put(x, 4, MPI_INT, 1, 0, 4, MPI_INT, win);  // @a
    MPI_Win_complete(win);
  } else {
    MPI_Win_post(other, 0, win);
    memory[2] = 1;  // @b
    MPI_Win_wait(win);
  }
  MPI_Group_free(&other);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
