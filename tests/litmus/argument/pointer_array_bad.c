// vouch: run -n 1
// expect: error argument/pointer @a
// also: crash
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
