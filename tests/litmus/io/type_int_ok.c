// vouch: run -n 1
// expect: clean
// [U43]: the default view is of bytes; bytes go through any view.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  int y[3] = {1, 2, 3};
  double x[2] = {1, 2};
  MPI_File_write(file, y, 3, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
  MPI_File_write(file, x, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_write(file, x, 8, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
