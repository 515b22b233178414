// quick_exit runs its own handlers, no destructors and no handlers of exit.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <cstdlib>

struct Never {
  ~Never() { MPI_Abort(MPI_COMM_WORLD, 1); }
};
Never never;

int main() {
  std::at_quick_exit([] { MPI_Finalize(); });
  MPI_Init(nullptr, nullptr);
  std::at_quick_exit([] { MPI_Barrier(MPI_COMM_WORLD); });
  std::quick_exit(0);
}
