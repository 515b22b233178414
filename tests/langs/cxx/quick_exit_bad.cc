// quick_exit without MPI_Finalize.
// vouch: run -n 2
// expect: error crash/exit @a
// exit: any
#include <mpi.h>

#include <cstdlib>

int main() {
  MPI_Init(nullptr, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);  // @a
  std::quick_exit(4);
}
