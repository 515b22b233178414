// vouch: run -n 1
// expect: clean
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static char data[64], packed[64];
  char name[] = "/tmp/vouch_split_XXXXXX";
  int position = 0;
  MPI_File file;
  close(mkstemp(name));
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write_at_all_begin(file, 0, data, 64, MPI_CHAR);
  MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
  MPI_Unpack(packed, 64, &position, data, 64, MPI_CHAR, MPI_COMM_SELF);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
