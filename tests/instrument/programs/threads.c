/* OpenMP: threads write a window, only the first one calls MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double* field = calloc(4000, sizeof(double));
  MPI_Win window;
  MPI_Win_create(field, 4000 * sizeof(double), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (rank == 0) printf("array field %p\n", (void*)field);
  double sum = 0;
  for (int step = 0; step < 3; step++) {
#pragma omp parallel for num_threads(3)
    for (int i = step * 1000; i < step * 1000 + 1000; i++) field[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = step * 1000; i < step * 1000 + 500; i++) sum += field[i];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("%d: %.17g\n", rank, sum);
  MPI_Win_free(&window);
  free(field);
  MPI_Finalize();
}
