/* One-sided communication between nodes. The first argument chooses. Rank 0 is on the first node,
   the last rank on the last. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, last;
static int* memory; /* of 64 elements, in the window */
static MPI_Win window;

/* The first rank has exposed its memory and waits for an origin that waits for a message of it. */
static void stuck(void) {
  MPI_Group all, other;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int who = rank == 0 ? last : 0;
  MPI_Group_incl(all, 1, &who, &other);
  if (rank == 0) {
    MPI_Win_post(other, 0, window);
    MPI_Win_wait(window); /* [stuck wait] */
  } else if (rank == last) {
    MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* [stuck recv] */
    MPI_Win_start(other, 0, window);
    MPI_Win_complete(window);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "stuck";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  last = size - 1;
  memory = calloc(64, sizeof(int));
  MPI_Win_create(memory, 64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (strcmp(what, "stuck") == 0) stuck();
  MPI_Win_free(&window);
  MPI_Barrier(MPI_COMM_WORLD);
  free(memory);
  MPI_Finalize();
  return 0;
}
