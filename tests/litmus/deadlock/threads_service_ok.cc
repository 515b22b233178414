// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// A service thread waits in MPI_Recv while the main thread computes, then stops it.
#include <mpi.h>

#include <chrono>
#include <thread>

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::thread service([] {
    int word = 0;
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  volatile double x = 1;
  while (std::chrono::steady_clock::now() < end) x = x * 1.0000001;
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD);
  service.join();
  MPI_Finalize();
}
