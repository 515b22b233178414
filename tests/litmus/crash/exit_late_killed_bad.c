// vouch: run -n 3
// expect: warning leak/communicator @a
// exit: 5
// Ranks 0 and 2 return a status of failure while rank 1 is on its way out: Open MPI's launcher ends
// it. What it did before is judged all the same.

#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm copy;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);  // @a
  MPI_Finalize();
  if (rank == 1) sleep(2);
  return 5;
}
