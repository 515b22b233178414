// vouch: run -n 2 --check-buffers
// expect: clean
#include <mpi.h>
#include <stdlib.h>

static char global[256];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = 1024;
  char *memory = malloc(n), *part, local[64];
  MPI_Win window;
  MPI_Win_create(memory, n, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  MPI_Win_create(memory + n / 2, n / 2, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  MPI_Win_create(global, sizeof global, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  MPI_Win_create(local, sizeof local, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, memory, n);
  MPI_Win_detach(window, memory);
  MPI_Win_free(&window);
  MPI_Win_allocate(n, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &window);
  MPI_Win_free(&window);
  MPI_Buffer_attach(memory, n);
  MPI_Buffer_detach(&part, &(int){0});
  free(memory);
  MPI_Finalize();
  return 0;
}
