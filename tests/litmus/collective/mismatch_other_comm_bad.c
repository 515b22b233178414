// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
// Each rank broadcasts on a communicator of its own choice; as roots both may go on.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm rows, columns;
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  MPI_Comm_dup(MPI_COMM_WORLD, &columns);
  MPI_Bcast(&value, 1, MPI_INT, rank, rank == 0 ? rows : columns);  // @a
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
  MPI_Finalize();
  return 0;
}
