// vouch: run -n 1
// expect: warning leak/keyval @a
// flags: -O2
// The delete function frees nothing.
#include <mpi.h>
#include <stddef.h>

static int keyval;

static int gone(MPI_Comm comm, int key, void* value, void* extra) {
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int value;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &keyval, NULL);  // @a
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &value);
  MPI_Finalize();
  return 0;
}
