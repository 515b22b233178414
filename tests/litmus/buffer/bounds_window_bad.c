// vouch: run -n 2 --check-buffers
// expect: error buffer/bounds @a
// expect: error buffer/bounds @b
// A window must lie in the memory it is made of, all of it.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = 1024;
  char* memory = malloc(n / 2);
  MPI_Win window;
  MPI_Win_create(memory, n, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);  // @a
  MPI_Win_free(&window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory + 500, 13);  // @b
  MPI_Win_detach(window, memory + 500);
  MPI_Win_free(&window);
  free(memory);
  MPI_Finalize();
  return 0;
}
