// vouch: run -n 1
// expect: error buffer/pack @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int x = 1, position = 0;
  char packed[64];
  MPI_Pack(&x, 1, MPI_INT, packed, 6, &position, MPI_COMM_WORLD);
  MPI_Pack(&x, 1, MPI_INT, packed, 6, &position, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
