// vouch: run -n 1
// expect: info thread/level @a
// flags: -pthread
// requires: threads
// The thread was there before MPI, and lives on.
#include <mpi.h>

#include <atomic>
#include <thread>

int main(int argc, char** argv) {
  std::atomic<bool> stop{false};
  std::thread thread([&] {
    while (!stop) std::this_thread::yield();
  });
  MPI_Init(&argc, &argv);  // @a
  MPI_Finalize();
  stop = true;
  thread.join();
}
