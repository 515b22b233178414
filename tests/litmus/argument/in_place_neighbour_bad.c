// vouch: run -n 1
// expect: error argument/in-place @a
// also: crash
// [U3]: nor neighbourhood collectives.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm ring;
  int one = 1, y[2];
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, y, 1, MPI_INT, ring);  // @a
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
