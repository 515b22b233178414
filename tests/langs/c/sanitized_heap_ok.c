// Leaves --check-buffers and the address sanitizer to share malloc.
// vouch: run --check-buffers -n 2
// expect: clean
// flags: -fsanitize=address
#include <mpi.h>
#include <stdlib.h>

const char* __asan_default_options(void) { return "detect_leaks=0"; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* all = malloc(size * sizeof(int));
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  const int last = all[size - 1];
  free(all);
  MPI_Finalize();
  return last == size - 1 ? 0 : 1;
}
