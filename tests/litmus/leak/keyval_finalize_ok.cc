// vouch: run -n 1
// expect: clean
// flags: -O2
#include <mpi.h>
#include <cstddef>

namespace {

int keyval;

int gone(MPI_Comm, int, void*, void*) {
  return MPI_Comm_free_keyval(&keyval);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int value;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &value);
  MPI_Finalize();
  return 0;
}
