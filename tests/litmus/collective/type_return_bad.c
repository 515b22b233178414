// vouch: run -n 2
// expect: error collective/type @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // The library may notice, or not; the program goes on either way.
  int values[2000] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Bcast(values, rank == 1 ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
