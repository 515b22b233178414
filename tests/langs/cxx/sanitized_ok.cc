// Address and undefined-behaviour sanitizers together, with threads and exceptions.
// vouch: run -n 2
// expect: clean
// flags: -fsanitize=address,undefined -pthread
#include <mpi.h>

#include <stdexcept>
#include <thread>
#include <vector>

extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main() {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> mine(100, rank), sums(100);
  std::thread worker([&] {
    for (int& x : mine) x += 1;
  });
  worker.join();
  MPI_Allreduce(mine.data(), sums.data(), 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int status = 1;
  try {
    if (sums.back() == size * (size + 1) / 2) throw std::length_error("as it should");
  } catch (const std::length_error&) {
    status = 0;
  }
  MPI_Finalize();
  return status;
}
