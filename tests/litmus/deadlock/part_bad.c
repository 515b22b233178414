// vouch: run -n 4
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, y = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  if (rank < 2) {
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  } else {
    double start = MPI_Wtime();
    int go = 1;
    while (go) {
      if (rank == 2) go = MPI_Wtime() - start < 10;
      MPI_Bcast(&go, 1, MPI_INT, 0, pair);
      MPI_Sendrecv(&y, 1, MPI_INT, 5 - rank, 1, &x, 1, MPI_INT, 5 - rank, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
  }
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
