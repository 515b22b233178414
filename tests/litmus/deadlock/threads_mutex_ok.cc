// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// The mutex is released before the receive.
#include <mpi.h>

#include <mutex>
#include <thread>

int main(int argc, char** argv) {
  int provided, rank, in = 0, out = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex);
  std::thread sender([&] {
    std::lock_guard<std::mutex> mine(mutex);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
  });
  lock.unlock();
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sender.join();
  MPI_Finalize();
  return 0;
}
