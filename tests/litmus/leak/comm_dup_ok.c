// vouch: run -n 2
// expect: clean
// Freed by an attribute of MPI_COMM_SELF.
#include <mpi.h>
#include <stddef.h>

static MPI_Comm comm;
static int drop(MPI_Comm self, int key, void* value, void* extra) { return MPI_Comm_free(&comm); }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int keyval;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
