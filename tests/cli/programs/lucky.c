// Ends well only because the message of rank 2 comes first. For a test that must not be left to luck: rank 1 waits for a file
// that rank 0 makes, of which no checker of MPI can know.
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, x = 1;
  MPI_Comm all;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, all, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fclose(fopen(argv[1], "w"));
    MPI_Recv(&x, 1, MPI_INT, 1, 7, all, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    while (access(argv[1], F_OK) != 0) sched_yield();
    MPI_Send(&x, 1, MPI_INT, 0, 7, all);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 7, all);
  }
  MPI_Comm_free(&all);
  MPI_Finalize();
  return 0;
}
