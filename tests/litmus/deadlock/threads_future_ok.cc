// vouch: run -n 2
// expect: clean
// flags: -pthread
// requires: threads
// Each main thread sends before it waits for what its other thread receives.
#include <mpi.h>

#include <future>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::future<int> received = std::async(std::launch::async, [rank] {
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
  });
  int out = rank;
  MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
  received.get();
  MPI_Finalize();
  return 0;
}
