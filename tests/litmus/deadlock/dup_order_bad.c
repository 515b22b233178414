// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // Each is right by itself; together they wait for each other.
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);  // @a
    MPI_Barrier(copy);
  } else {
    MPI_Barrier(copy);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
