// vouch: run -n 2
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[5] = {0};
  MPI_Message first, second;
  MPI_Request request, sends[2];
  if (rank == 0) {
    MPI_Isend(x, 5, MPI_INT, 1, 7, MPI_COMM_WORLD, &sends[0]);
    MPI_Isend(x, 2, MPI_INT, 1, 7, MPI_COMM_WORLD, &sends[1]);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  } else {
    MPI_Mprobe(0, 7, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mprobe(0, 7, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    MPI_Mrecv(x, 2, MPI_INT, &second, MPI_STATUS_IGNORE);
    MPI_Imrecv(x, 5, MPI_INT, &first, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
