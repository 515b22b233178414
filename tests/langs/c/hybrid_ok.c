// OpenMP between the calls of the main thread.
// vouch: run -n 2
// expect: clean
// flags: -fopenmp
#include <mpi.h>

int main(int argc, char** argv) {
  int provided, rank, size;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double value = rank, total = 0;
  for (int step = 0; step < 4; ++step) {
#pragma omp parallel for reduction(+ : value) num_threads(3)
    for (int i = 0; i < 1000; ++i) value += 1;
    MPI_Sendrecv_replace(&value, 1, MPI_DOUBLE, (rank + 1) % size, 1, (rank + size - 1) % size, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Reduce(&value, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return rank == 0 && total != size * 4000.0 + size * (size - 1) / 2 ? 1 : 0;
}
