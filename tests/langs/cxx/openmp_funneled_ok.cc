// OpenMP teams between and inside which only the main thread calls MPI.
// vouch: run -n 2
// expect: clean
// flags: -fopenmp
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> mine(4000, rank), theirs(4000, -1);
  double sum = 0;
  for (int step = 0; step < 5; ++step) {
#pragma omp parallel num_threads(4)
    {
#pragma omp for
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i] += 1;
#pragma omp master
      MPI_Sendrecv(mine.data(), 4000, MPI_DOUBLE, (rank + 1) % size, step, theirs.data(), 4000,
                   MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp barrier
#pragma omp for reduction(+ : sum)
      for (std::size_t i = 0; i < theirs.size(); ++i) sum += theirs[i];
    }
  }
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 4000.0 * (size * 15 + 5 * size * (size - 1) / 2) ? 0 : 1;
}
