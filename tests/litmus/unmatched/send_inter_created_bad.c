// vouch: run -n 4
// expect: error unmatched/send @a
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 1, first[] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half, inter, made;
  MPI_Group all, one;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
  MPI_Comm_group(inter, &all);
  MPI_Group_incl(all, 1, first, &one);
  MPI_Comm_create(inter, one, &made);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 0, 1, made);
    MPI_Send(&x, 1, MPI_INT, 0, 2, made);  // @a
  }
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 1, made, MPI_STATUS_IGNORE);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
