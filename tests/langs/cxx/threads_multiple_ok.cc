// Threads that all call MPI, each with a communicator of its own.
// vouch: run -n 2
// requires: threads
// expect: clean
// flags: -pthread
#include <mpi.h>

#include <atomic>
#include <thread>
#include <vector>

constexpr int kThreads = 3, kRounds = 20;

int main() {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (MPI_Comm& comm : comms) {
    threads.emplace_back([&comm, &good, rank, size] {
      for (int i = 0; i < kRounds; ++i) {
        int out = i * size + rank, in = -1, sum = 0;
        const int left = (rank + size - 1) % size;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, left, 0, comm,
                     MPI_STATUS_IGNORE);
        MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, comm);
        if (in == i * size + left && sum == size * size * i + size * (size - 1) / 2) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  MPI_Finalize();
  return good == kThreads * kRounds ? 0 : 1;
}
