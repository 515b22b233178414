// vouch: run -n 1
// expect: clean
// On MPI_FILE_NULL the error handler is that of files opened later (MPI-4.1 14.7).
#include <mpi.h>

static void tolerate(MPI_File* file, int* code, ...) {
  (void)file;
  (void)code;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Errhandler before, mine, now;
  MPI_File_get_errhandler(MPI_FILE_NULL, &before);
  MPI_File_create_errhandler(tolerate, &mine);
  MPI_File_set_errhandler(MPI_FILE_NULL, mine);
  MPI_File_get_errhandler(MPI_FILE_NULL, &now);
#ifndef OPEN_MPI  // which refuses it
  MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO);
#endif
  MPI_File_set_errhandler(MPI_FILE_NULL, before);
  MPI_Errhandler_free(&now);
  MPI_Errhandler_free(&mine);
  MPI_Errhandler_free(&before);
  MPI_Finalize();
  return 0;
}
