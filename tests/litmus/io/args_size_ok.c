// vouch: run -n 2
// expect: clean
// Offset, count and type are each process's own.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  int x[2] = {rank, rank};
  MPI_File_set_size(file, 32);
  MPI_File_preallocate(file, 32);
  MPI_File_write_at_all(file, rank * 4, x, 1 + rank, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek_shared(file, 16, MPI_SEEK_SET);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
