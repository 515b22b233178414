// The process ends by std::exit of a thread while main waits for it.
// vouch: run -n 2
// expect: clean
// flags: -pthread
#include <mpi.h>

#include <cstdlib>
#include <thread>

int main() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  std::thread([] { std::exit(0); }).join();
}
