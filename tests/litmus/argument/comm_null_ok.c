// vouch: run -n 2
// expect: clean
// [U37]: MPI_COMM_NULL as a result is fine.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, parent;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &part);
  if (part != MPI_COMM_NULL) {
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) MPI_Barrier(parent);
  MPI_Finalize();
  return 0;
}
