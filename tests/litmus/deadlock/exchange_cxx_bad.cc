// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// also: crash
#include <mpi.h>

#include <vector>

// A wrapper as programs have it: the buffer tells type and count.
template <typename T>
void receive(std::vector<T>& data, MPI_Datatype type, int from) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), type, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> data(8);
  receive(data, MPI_DOUBLE, 1 - rank);
  MPI_Send(data.data(), 8, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD);
  MPI_Finalize();
}
