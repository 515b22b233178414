// vouch: run -n 3
// expect: error collective/mismatch @a
// also: crash
// Rank 1 has not set the attribute, so only the others call the barrier of its delete function.
#include <mpi.h>
#include <stddef.h>

static int drop(MPI_Comm comm, int key, void* value, void* state) {
  (void)key, (void)value, (void)state;
  return MPI_Barrier(comm);  // @a
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, key, one = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
  MPI_Comm twin;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  if (rank != 1) MPI_Comm_set_attr(twin, key, &one);
  MPI_Comm_free(&twin);
  MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
