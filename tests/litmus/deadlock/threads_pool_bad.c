// vouch: run -n 2
// expect: error deadlock/wait-cycle @a
// flags: -fopenmp
// requires: threads
// All threads of an OpenMP region call MPI. Later the first thread waits forever, and the others are
// idle in their pool.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(3)
  {
    int in, out = rank;
    const int tag = omp_get_thread_num(), other = 1 - rank;
    MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  int in;
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @a
  MPI_Send(&rank, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
