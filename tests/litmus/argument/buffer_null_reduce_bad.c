// vouch: run -n 1
// expect: error argument/buffer-null @a
// also: crash
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int y;
  MPI_Allreduce(NULL, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);  // @a
  MPI_Finalize();
  return 0;
}
