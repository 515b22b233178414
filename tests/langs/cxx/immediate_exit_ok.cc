// _exit and std::_Exit after MPI_Finalize: no handler and no destructor runs.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <cstdlib>

#include <unistd.h>

struct Never {
  ~Never() { MPI_Abort(MPI_COMM_WORLD, 1); }
};
Never never;

int main() {
  int rank = 0;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0) _exit(0);
  std::_Exit(0);
}
