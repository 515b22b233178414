// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <iostream>
#include <numeric>
#include <string>
#include <vector>

class Environment {
 public:
  Environment(int& argc, char**& argv) { MPI_Init(&argc, &argv); }
  ~Environment() { MPI_Finalize(); }
  Environment(const Environment&) = delete;
};

int main(int argc, char** argv) {
  Environment environment(argc, argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  MPI_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const int sum = std::accumulate(ranks.begin(), ranks.end(), 0);
  std::cout << "hello from rank " + std::to_string(rank) + "\n";
  return sum == size * (size - 1) / 2 ? 0 : 1;
}
