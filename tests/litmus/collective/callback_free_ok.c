// vouch: run -n 3
// expect: clean
// The delete function of an attribute runs inside MPI_Comm_free, before the communicator is gone
// (MPI-4.1 7.7.2): it may still use it, and all members run it.
#include <mpi.h>
#include <stddef.h>

static int drop(MPI_Comm comm, int key, void* value, void* state) {
  (void)key, (void)state;
  int sum = 0;
  MPI_Barrier(comm);
  MPI_Allreduce(value, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum == 3 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int key, one = 1;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
  for (int round = 0; round < 3; ++round) {
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_set_attr(twin, key, &one);
    MPI_Barrier(twin);
    MPI_Comm_free(&twin);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
