// predict: -n 3
// finds: deadlock/ shown
// verdict: error
// A lost message among four. Rank 0 takes three messages from anybody, then one of rank 1. Whoever lets the message of
// rank 1 be taken by a wildcard waits forever. What rank 2 sends first has come before rank 1 is told to send, but
// nothing in MPI says that it is matched first.
#include <mpi.h>

enum { WILDCARDS = 3, DATA = 1, READY = 2, GO = 3 };

int main(int argc, char** argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, 2, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, GO, MPI_COMM_WORLD);
    for (int i = 0; i < WILDCARDS; ++i)
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 1, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD);
  } else if (rank == 2) {
    MPI_Request data[WILDCARDS];
    for (int i = 0; i < WILDCARDS; ++i) MPI_Isend(&x, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD, &data[i]);
    MPI_Send(&x, 1, MPI_INT, 0, READY, MPI_COMM_WORLD);
    MPI_Waitall(WILDCARDS, data, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
