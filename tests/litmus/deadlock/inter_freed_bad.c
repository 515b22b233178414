// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

// The inter-communicator is gone before anybody is stuck.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half, inter, all;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
  MPI_Intercomm_merge(inter, rank % 2, &all);
  MPI_Barrier(inter);
  MPI_Bcast(&x, 1, MPI_INT, 0, all);
  MPI_Comm_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  if (rank == 0 || rank == 3) MPI_Recv(&x, 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Finalize();
  return 0;
}
