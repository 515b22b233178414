// vouch: run -n 1
// expect: warning leak/errhandler @a
#include <mpi.h>

static void handle(MPI_Comm* comm, int* code, ...) {}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);  // @a
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Finalize();
  return 0;
}
