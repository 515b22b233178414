// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int amode = 0;
  MPI_File file = MPI_FILE_NULL;
  MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
  MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_get_amode(file, &amode);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
