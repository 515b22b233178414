// vouch: run -n 1
// expect: error io/view @a
// [U43]
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  int lengths[2] = {1, 1}, at[2] = {2, 0};
  MPI_Datatype type;
  MPI_Type_indexed(2, lengths, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);  // @a
  MPI_Type_free(&type);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
