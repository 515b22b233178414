// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {0}, position = 0, size;
  char room[64];
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Pack_size(1, pair, MPI_COMM_SELF, &size);
  MPI_Pack(x, 1, pair, room, 64, &position, MPI_COMM_SELF);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
