// vouch: run -n 1
// expect: clean
// [U43]
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
