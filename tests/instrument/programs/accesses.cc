// What C++ adds: containers, virtual functions, std::atomic, exceptions, threads that never call
// MPI.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> values(1000);
  std::vector<long> counts(64);
  MPI_Win of_values, of_counts;
  MPI_Win_create(values.data(), 8000, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &of_values);
  MPI_Win_create(counts.data(), 64 * 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &of_counts);
  if (rank == 0) {
    std::printf("array values %p\narray counts %p\n", static_cast<void*>(values.data()),
                static_cast<void*>(counts.data()));
  }
  std::unique_ptr<Shape> square = std::make_unique<Square>(3 + rank);
  try {
    for (std::size_t i = 0;; ++i) values.at(i) = square->area() + static_cast<double>(i);
  } catch (const std::out_of_range&) {
  }
  // Four threads, each its own part; none of them calls MPI.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 16; ++i) counts[static_cast<std::size_t>(t * 16 + i)] = t;
    });
  }
  for (auto& thread : threads) thread.join();
  MPI_Barrier(MPI_COMM_WORLD);
  const double sum = std::accumulate(values.begin(), values.begin() + 500, 0.0);
  std::atomic_ref<long> count(counts[63]);
  count.fetch_add(5);
  MPI_Barrier(MPI_COMM_WORLD);
  std::printf("%d: %.17g %ld\n", rank, sum, count.load());
  MPI_Win_free(&of_values);
  MPI_Win_free(&of_counts);
  MPI_Finalize();
}
