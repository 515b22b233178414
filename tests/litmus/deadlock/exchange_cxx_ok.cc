// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> data(8), other(8);
  MPI_Sendrecv(data.data(), 8, MPI_DOUBLE, 1 - rank, 7, other.data(), 8, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Finalize();
}
