// vouch: run -n 2
// expect: clean
// [U15]: MPI_BYTE with MPI_BYTE, MPI_PACKED with anything.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, size;
  char packed[64];
  int position = 0;
  if (rank == 0) {
    MPI_Send(&x, 4, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
    MPI_Pack(&x, 1, MPI_INT, packed, 64, &position, MPI_COMM_WORLD);
    MPI_Send(packed, position, MPI_PACKED, 1, 7, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(packed, 64, MPI_PACKED, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, 64, &position, &x, 1, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
