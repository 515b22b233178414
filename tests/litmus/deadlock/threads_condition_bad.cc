// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -pthread
// requires: threads
// The sender waits for a condition that the receiver sets once it has received.
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  int provided, rank, in = 0, out = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::mutex mutex;
  std::condition_variable changed;
  bool go = false;
  std::thread sender([&] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return go; });
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
  });
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  {
    std::lock_guard<std::mutex> lock(mutex);
    go = true;
  }
  changed.notify_one();
  sender.join();
  MPI_Finalize();
  return 0;
}
