// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Datatype type;
  MPI_Type_contiguous(3, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, 16, MPI_DOUBLE, type, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
