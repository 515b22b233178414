// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -pthread
// requires: threads
// Each main thread waits for what its other thread receives before it sends.
#include <mpi.h>

#include <future>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::future<int> received = std::async(std::launch::async, [rank] {
    int in = 0;
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
    return in;
  });
  int out = received.get();
  MPI_Send(&out, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
