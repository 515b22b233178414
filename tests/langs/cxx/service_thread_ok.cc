// A thread answers questions while main computes for more than a second before it asks.
// vouch: run -n 2
// requires: threads
// expect: clean
// flags: -pthread
#include <mpi.h>

#include <chrono>
#include <thread>

constexpr int kQuestion = 9, kAnswer = 10;

void serve() {
  for (;;) {
    int question = 0;
    MPI_Status status;
    MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, kQuestion, MPI_COMM_WORLD, &status);
    if (question < 0) return;
    question *= 2;
    MPI_Send(&question, 1, MPI_INT, status.MPI_SOURCE, kAnswer, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::thread service(serve);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  volatile double x = 1;
  while (std::chrono::steady_clock::now() < end) x = x * 1.0000001;
  int value = rank + 1;
  const int other = (rank + 1) % size;
  MPI_Send(&value, 1, MPI_INT, other, kQuestion, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, other, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  int stop = -1;
  MPI_Send(&stop, 1, MPI_INT, other, kQuestion, MPI_COMM_WORLD);
  service.join();
  MPI_Finalize();
  return value == 2 * (rank + 1) ? 0 : 1;
}
