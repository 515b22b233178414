// vouch: run -n 1
// expect: error io/access @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int amode = 0;
  MPI_File file = MPI_FILE_NULL;
  MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
  MPI_File_get_amode(file, &amode);  // @a
  MPI_Finalize();
  return 0;
}
