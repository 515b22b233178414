// vouch: run -n 2
// expect: clean
// flags: -O2
#include <mpi.h>

static int seen;
static void handle(MPI_Comm* comm, int* error, ...) { MPI_Comm_test_inter(*comm, &seen); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
