// vouch: run -n 2
// expect: clean
// [U14]: a shorter message, an empty one, one that ends inside an element.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[9] = {0}, n;
  MPI_Status status;
  if (rank == 0) {
    MPI_Send(x, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 0, MPI_FLOAT, 1, 7, MPI_COMM_WORLD);
    MPI_Send(x, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else {
    MPI_Recv(x, 5, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(0, 7, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(x, n, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 9, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(x, 2, MPI_2INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
