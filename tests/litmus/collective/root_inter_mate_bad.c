// vouch: run -n 4
// expect: error collective/root @a
// also: crash
// MPI-4.1 6.2.3: in the root's group the others pass MPI_PROC_NULL, and not the root's rank as the other group does.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &inter);
  int value = rank;
  if (rank == 0) {
    MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, inter);
  } else if (rank == 1) {
    MPI_Bcast(&value, 1, MPI_INT, 0, inter);  // @a
  } else {
    MPI_Bcast(&value, 1, MPI_INT, 0, inter);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
