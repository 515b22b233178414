// vouch: run -n 3
// expect: error argument/rank @a
// On an inter-communicator a rank is one of the remote group: here rank 0 alone on one side.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, inter;
  int x = 1;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 9, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  if (rank == 2) MPI_Send(&x, 1, MPI_INT, 1, 7, inter);  // @a
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
