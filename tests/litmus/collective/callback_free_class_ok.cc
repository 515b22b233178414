// vouch: run -n 2
// expect: clean
// A C++ object that lives as an attribute and says farewell when its communicator is freed.
#include <mpi.h>

struct Owner {
  MPI_Comm comm;
  ~Owner() { MPI_Barrier(comm); }
};

static int drop(MPI_Comm, int, void* value, void*) {
  delete static_cast<Owner*>(value);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, nullptr);
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_set_attr(twin, key, new Owner{twin});
  MPI_Comm_free(&twin);
  // The attribute of another one is deleted by hand.
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_attr(other, key, new Owner{other});
  MPI_Comm_delete_attr(other, key);
  MPI_Comm_free(&other);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
}
