// vouch: run -n 1
// expect: error crash/mpi-error @a
// also: crash
// The library stops the job for a reason that no rule explains.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);  // @a
  MPI_Finalize();
  return 0;
}
