// vouch: run -n 3
// expect: clean
// Ranks 0 and 1 face rank 2; rank 1 is a mate of the root.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, inter;
  int x = 1, all[2];
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 9, &inter);
  MPI_Bcast(&x, 1, MPI_INT, rank == 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
  MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, rank == 2 ? MPI_ROOT : 0, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
