// MPI_Finalize is a handler of exit, registered before MPI_Init.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <cstdlib>

int main() {
  std::atexit([] { MPI_Finalize(); });
  MPI_Init(nullptr, nullptr);
  std::atexit([] { MPI_Barrier(MPI_COMM_WORLD); });
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
