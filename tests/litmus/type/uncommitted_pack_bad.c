// vouch: run -n 1
// expect: error type/uncommitted @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int x[2] = {0}, position = 0;
  char room[64];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Pack(x, 1, pair, room, 64, &position, MPI_COMM_SELF);  // @a
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
