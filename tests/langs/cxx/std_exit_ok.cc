// std::exit far away from main, after MPI_Finalize, with a status of its own. (One process: a
// launcher ends the others when one exits with such a status.)
// vouch: run -n 1
// expect: clean
// exit: 3
#include <mpi.h>

#include <cstdlib>
#include <functional>

int main() {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::function<void(int)> leave = [](int status) {
    MPI_Finalize();
    std::exit(status);
  };
  leave(3);
}
