// vouch: run -n 2
// expect: error io/view @a
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Datatype type = rank == 0 ? MPI_INT : MPI_DOUBLE;
  MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL);  // @a
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
