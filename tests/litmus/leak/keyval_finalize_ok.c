// vouch: run -n 1
// expect: clean
// flags: -O2
// Freed in MPI_Finalize, by the delete function of an attribute. It ends in the call: compiled to a jump, the library is
// the caller by its return address.
#include <mpi.h>
#include <stddef.h>

static int keyval;

static int gone(MPI_Comm comm, int key, void* value, void* extra) {
  return MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int value;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &value);
  MPI_Finalize();
  return 0;
}
