// Packing with large counts, for this machine and for others.
// vouch: run -n 2
// requires: large-count
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, numbers[3] = {1, 2, 3}, got[3] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char bytes[64];
  MPI_Count at = 0, size;
  MPI_Pack_size_c(3, MPI_INT, MPI_COMM_WORLD, &size);
  CHECK(size <= (MPI_Count)sizeof(bytes));
  if (rank == 0) {
    MPI_Pack_c(numbers, 3, MPI_INT, bytes, sizeof(bytes), &at, MPI_COMM_WORLD);
    MPI_Send(bytes, (int)at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(bytes, sizeof(bytes), MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack_c(bytes, sizeof(bytes), &at, got, 3, MPI_INT, MPI_COMM_WORLD);
    CHECK(got[0] == 1 && got[2] == 3);
  }
  at = 0;
  MPI_Pack_external_size_c("external32", 3, MPI_INT, &size);
  CHECK(size == 12);
  MPI_Pack_external_c("external32", numbers, 3, MPI_INT, bytes, 12, &at);
  CHECK(at == 12 && bytes[11] == 3);
  at = 0;
  got[1] = 0;
  MPI_Unpack_external_c("external32", bytes, 12, &at, got, 3, MPI_INT);
  CHECK(got[1] == 2);
  MPI_Finalize();
  return 0;
}
