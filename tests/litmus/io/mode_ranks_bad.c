// vouch: run -n 2
// expect: error io/mode @a
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file = MPI_FILE_NULL;
  int mode = MPI_MODE_RDWR | MPI_MODE_CREATE | (rank == 0 ? MPI_MODE_DELETE_ON_CLOSE : 0);
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat", mode, MPI_INFO_NULL, &file);  // @a
  if (file != MPI_FILE_NULL) MPI_File_close(&file);
  if (rank == 0) MPI_File_delete("litmus.dat", MPI_INFO_NULL);
  MPI_Finalize();
  return 0;
}
