// Every read and write with the shared file pointer.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  int out = rank + 1, in = 0, sum = 0;
  MPI_Offset at;
  MPI_Request request;
  MPI_Status status;

  // In the order of ranks.
  MPI_File_write_ordered(file, &out, 1, MPI_INT, &status);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_ordered(file, &in, 1, MPI_INT, &status);
  CHECK(in == out);
  MPI_File_get_position_shared(file, &at);
  CHECK(at == (MPI_Offset)(size * sizeof(int)));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write_ordered_begin(file, &out, 1, MPI_INT);
  MPI_File_write_ordered_end(file, &out, &status);
  MPI_File_seek_shared(file, at, MPI_SEEK_SET);
  in = 0;
  MPI_File_read_ordered_begin(file, &in, 1, MPI_INT);
  MPI_File_read_ordered_end(file, &in, &status);
  CHECK(in == out);

  // In any order: together they take what was written.
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  MPI_File_read_shared(file, &in, 1, MPI_INT, &status);
  MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size + 1) / 2);
  MPI_File_iread_shared(file, &in, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size + 1) / 2);
  MPI_File_write_shared(file, &out, 1, MPI_INT, &status);
  MPI_File_iwrite_shared(file, &out, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
