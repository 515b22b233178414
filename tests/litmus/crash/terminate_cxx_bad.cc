// vouch: run -n 2
// expect: error crash/assert
// exit: any
// An exception that nobody catches, thrown while another rank waits.
#include <mpi.h>

#include <stdexcept>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) throw std::runtime_error("no input");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
