// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <stdexcept>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    if (rank == 0) throw std::runtime_error("no input");
  } catch (const std::exception&) {
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
