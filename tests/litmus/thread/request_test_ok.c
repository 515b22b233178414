// vouch: run -n 1
// expect: clean
// flags: -fopenmp
// requires: threads
// A team drains one array of requests, one thread at a time.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, in[4], out[4] = {0, 1, 2, 3}, done = 0;
  MPI_Request requests[4];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 4; i++) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
  for (int i = 0; i < 4; i++) MPI_Send(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF);
#pragma omp parallel num_threads(2)
  for (int finished = 0; !finished;) {
#pragma omp critical
    {
      if (!done) MPI_Testall(4, requests, &done, MPI_STATUSES_IGNORE);
      finished = done;
    }
  }
  MPI_Finalize();
  return 0;
}
