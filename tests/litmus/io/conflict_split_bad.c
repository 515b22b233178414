// vouch: run -n 2
// expect: warning io/conflict @a
// How far a split read has moved the shared pointer is told by its end.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {1, 2, 3, 4}, y[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_ordered(file, x, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered_begin(file, y, 1, MPI_INT);
  MPI_File_read_ordered_end(file, y, MPI_STATUS_IGNORE);
  MPI_File_read_ordered_begin(file, y, 1, MPI_INT);
  MPI_File_read_ordered_end(file, y, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_File_write_at(file, 4, x, 1, MPI_INT, MPI_STATUS_IGNORE);  // @a
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
