// vouch: run -n 1
// expect: error leak/file @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);  // @a
  MPI_Finalize();
  return 0;
}
