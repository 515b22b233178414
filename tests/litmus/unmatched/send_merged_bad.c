// vouch: run -n 4
// expect: error unmatched/send @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 1, color = rank % 2;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, color, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 9, &inter);
  MPI_Comm_rank(half, &rank);
  MPI_Comm both;
  MPI_Intercomm_merge(inter, color, &both);
  MPI_Comm_rank(both, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 3, 1, both);
    MPI_Send(&x, 1, MPI_INT, 3, 1, both);  // @a
  } else {
    if (rank == 3) MPI_Recv(&x, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&both);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
