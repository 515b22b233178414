// vouch: run -n 2
// expect: clean
// [U27]: a delete callback on MPI_COMM_SELF communicates and frees inside MPI_Finalize.
#include <mpi.h>
#include <stddef.h>

static MPI_Comm library;
static MPI_Datatype pair;
static int keyval;

static int shut_down(MPI_Comm comm, int key, void* value, void* extra) {
  int data[2] = {1, 2};
  MPI_Bcast(data, 1, pair, 0, library);
  MPI_Type_free(&pair);
  MPI_Comm_free(&library);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &library);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, shut_down, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Finalize();
  return 0;
}
