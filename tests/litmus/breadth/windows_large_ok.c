// Windows made with large counts.
// vouch: run -n 2
// requires: large-count
// expect: clean
#include <mpi.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int memory[2] = {0}, *shared, *theirs, rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win win;
  MPI_Win_create_c(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared_c(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &shared,
                            &win);
  MPI_Aint size, unit;
  MPI_Win_shared_query_c(win, 1 - rank, &size, &unit, &theirs);
  CHECK(size == 4 * sizeof(int) && unit == sizeof(int) && theirs != shared);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
