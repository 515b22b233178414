// vouch: run -n 1
// expect: clean
// Closed by a delete callback on MPI_COMM_SELF, inside MPI_Finalize.
#include <mpi.h>
#include <stddef.h>

static MPI_File file;
static int close_it(MPI_Comm comm, int key, void* value, void* extra) { return MPI_File_close(&file); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval;
  MPI_File_open(MPI_COMM_SELF, "litmus.dat", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close_it, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
