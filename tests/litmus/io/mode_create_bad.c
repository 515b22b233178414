// vouch: run -n 1
// expect: error io/mode @a
// [U43]
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  int code = MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);  // @a
  if (code == MPI_SUCCESS) MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
