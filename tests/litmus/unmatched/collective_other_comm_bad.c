// vouch: run -n 2
// expect: error collective/mismatch @a
// also: crash
// The root of a nonblocking broadcast goes on alone, each rank on another communicator.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm rows, columns;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &rows);
  MPI_Comm_dup(MPI_COMM_WORLD, &columns);
  MPI_Ibcast(&value, 1, MPI_INT, rank, rank == 0 ? rows : columns, &request);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
  MPI_Finalize();
  return 0;
}
