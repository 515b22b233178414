// vouch: run -n 2
// expect: error buffer/bsend @a
// also: crash
// The overhead was forgotten.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank, size;
  static int x[1000], space[2000];
  void* p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Pack_size(1000, MPI_INT, MPI_COMM_WORLD, &size);
    MPI_Buffer_attach(space, size);
    if (MPI_Bsend(x, 1000, MPI_INT, 1, 7, MPI_COMM_WORLD) != MPI_SUCCESS)  // @a
      MPI_Send(x, 1000, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Buffer_detach(&p, &size);
  } else {
    MPI_Recv(x, 1000, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
