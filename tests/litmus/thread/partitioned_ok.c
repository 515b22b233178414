// vouch: run -n 2
// expect: clean
// flags: -fopenmp
// requires: threads partitioned
// Eight partitions of one request, made ready by a team; four partitions on the other side [U35].
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, rank, x[8] = {0};
  MPI_Request request;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(x, 8, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 8; i++) MPI_Pready(i, request);
  } else {
    MPI_Precv_init(x, 4, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; i++) {
      int arrived = 0;
      while (!arrived) MPI_Parrived(request, i, &arrived);
    }
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
