// vouch: run -n 1
// expect: error io/mode @a
// expect: error io/mode @b
// Exactly one of the three access modes.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  int code = MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_CREATE, MPI_INFO_NULL, &file);  // @a
  if (code == MPI_SUCCESS) MPI_File_close(&file);
  code = MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);  // @b
  if (code == MPI_SUCCESS) MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
