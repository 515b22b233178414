// vouch: run -n 2
// expect: clean
// compile: vouch cc
//
// After MPI_Wait.
#include <mpi.h>

int y[16];  // what is read goes here

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[16] = {0};
  MPI_File file;
  MPI_Request request;
  MPI_File_open(MPI_COMM_SELF, rank == 0 ? "numbers.0" : "numbers.1", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_iwrite(file, x, 16, MPI_INT, &request);
  y[0] = x[3];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  x[3] = 1;
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
