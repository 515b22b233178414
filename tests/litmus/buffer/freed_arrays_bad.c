// vouch: run --check-buffers -n 2
// expect: error buffer/freed @a @i
// expect: error buffer/modified @j
// also: crash
//
// MPI-4.1 6.12: counts and displacements belong to the operation until it is complete.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, all[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *counts = malloc(2 * sizeof *counts), *places = malloc(2 * sizeof *places);
  for (int i = 0; i < 2; ++i) counts[i] = 1, places[i] = i;
  MPI_Request request;
  MPI_Iallgatherv(&x, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, &request);  // @i
  free(places);  // @a
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int kept[2] = {0, 1};
  MPI_Iallgatherv(&x, 1, MPI_INT, all, counts, kept, MPI_INT, MPI_COMM_WORLD, &request);  // @j
  kept[1] = 3;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(counts);
  MPI_Finalize();
  return 0;
}
