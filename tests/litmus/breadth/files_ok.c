// Every read and write of a file by offsets and by own positions.
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

  // Every process has eight integers of its own: what it writes it reads.
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "litmus.dat",
                MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, rank * 8 * sizeof(int), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  int out[2] = {100 * rank, 100 * rank + 1}, in[2];
  MPI_Request request;
  MPI_Status status;
#define READ_BACK(...)                       \
  in[0] = in[1] = -1;                        \
  __VA_ARGS__;                               \
  CHECK(in[0] == out[0] && in[1] == out[1]); \
  out[0] += 2, out[1] += 2
  MPI_File_write(file, out, 2, MPI_INT, &status);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  READ_BACK(MPI_File_read(file, in, 2, MPI_INT, &status));
  MPI_File_write_at(file, 2, out, 2, MPI_INT, &status);
  READ_BACK(MPI_File_read_at(file, 2, in, 2, MPI_INT, &status));
  MPI_File_write_at_all(file, 4, out, 2, MPI_INT, &status);
  READ_BACK(MPI_File_read_at_all(file, 4, in, 2, MPI_INT, &status));
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  MPI_File_write_all(file, out, 2, MPI_INT, &status);
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  READ_BACK(MPI_File_read_all(file, in, 2, MPI_INT, &status));
  MPI_File_iwrite_at(file, 6, out, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  READ_BACK(MPI_File_iread_at(file, 6, in, 2, MPI_INT, &request); MPI_Wait(&request, &status));
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  MPI_File_iwrite(file, out, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  READ_BACK(MPI_File_iread(file, in, 2, MPI_INT, &request); MPI_Wait(&request, &status));
  MPI_File_iwrite_at_all(file, 4, out, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  READ_BACK(MPI_File_iread_at_all(file, 4, in, 2, MPI_INT, &request); MPI_Wait(&request, &status));
  MPI_File_seek(file, 6, MPI_SEEK_SET);
  MPI_File_iwrite_all(file, out, 2, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_seek(file, 6, MPI_SEEK_SET);
  READ_BACK(MPI_File_iread_all(file, in, 2, MPI_INT, &request); MPI_Wait(&request, &status));
  MPI_File_write_at_all_begin(file, 0, out, 2, MPI_INT);
  MPI_File_write_at_all_end(file, out, &status);
  READ_BACK(MPI_File_read_at_all_begin(file, 0, in, 2, MPI_INT);
            MPI_File_read_at_all_end(file, in, &status));
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  MPI_File_write_all_begin(file, out, 2, MPI_INT);
  MPI_File_write_all_end(file, out, &status);
  MPI_File_seek(file, 2, MPI_SEEK_SET);
  READ_BACK(MPI_File_read_all_begin(file, in, 2, MPI_INT);
            MPI_File_read_all_end(file, in, &status));
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
