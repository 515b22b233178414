// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x[2] = {0, 1};
  static int y[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<MPI_Request> all(2);
  for (int i = 0; i < 2; ++i) {
    if (rank == 0) MPI_Irecv(&y[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &all[static_cast<std::size_t>(i)]);
    if (rank == 1) MPI_Isend(&x[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &all[static_cast<std::size_t>(i)]);
  }
  MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
