// vouch: run -n 1
// expect: error io/mode @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  int mode = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL;
  int code = MPI_File_open(MPI_COMM_SELF, "litmus.dat", mode, MPI_INFO_NULL, &file);  // @a
  if (code == MPI_SUCCESS) MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
