// An exception that nobody catches ends the process by abort().
// vouch: run -n 2
// expect: error crash/assert @a
// exit: any
#include <mpi.h>

#include <stdexcept>

int main() {
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  if (rank == 1) throw std::runtime_error("nobody listens");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
