// Packing for other machines.
// vouch: run -n 2
// expect: clean
#include <mpi.h>
#include <stdlib.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, numbers[3] = {1, 2, 3}, got[3] = {0};
  double x = 0.5, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Aint ints, doubles, at = 0;
  MPI_Pack_external_size("external32", 3, MPI_INT, &ints);
  MPI_Pack_external_size("external32", 1, MPI_DOUBLE, &doubles);
  CHECK(ints == 12 && doubles == 8);
  char bytes[20];
  if (rank == 0) {
    MPI_Pack_external("external32", numbers, 3, MPI_INT, bytes, sizeof(bytes), &at);
    MPI_Pack_external("external32", &x, 1, MPI_DOUBLE, bytes, sizeof(bytes), &at);
    CHECK(at == 20 && bytes[3] == 1);
    MPI_Send(bytes, 20, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(bytes, 20, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack_external("external32", bytes, sizeof(bytes), &at, got, 3, MPI_INT);
    MPI_Unpack_external("external32", bytes, sizeof(bytes), &at, &y, 1, MPI_DOUBLE);
    CHECK(at == 20 && got[0] == 1 && got[2] == 3 && y == 0.5);
  }
  MPI_Finalize();
  return 0;
}
