// vouch: run -n 2
// expect: clean
// Rank 0 writes a header; behind it all write at the shared pointer, first in the order of ranks,
// then as they come.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  const int header[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_File_write_at(file, 0, header, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek_shared(file, 4, MPI_SEEK_SET);
  MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_File_write_at(file, 4 + 2 * size, header, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
