// vouch: run -n 1
// expect: clean
// Marked free while an attribute still uses it.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval, value = 1;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
