// vouch: run -n 1
// expect: clean
// [U43]: what is not collective may come between.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  int x = 1, y = 2;
  MPI_File_write_all_begin(file, &x, 1, MPI_INT);
  MPI_File_write_at(file, 40, &y, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_all_end(file, &x, MPI_STATUS_IGNORE);
  MPI_File_write_all(file, &y, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
