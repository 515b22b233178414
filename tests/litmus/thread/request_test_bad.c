// vouch: run -n 1
// expect: error thread/request
// flags: -fopenmp
// requires: threads
// also: crash
// exit: any
// A team drains one array of requests, all of it by every thread. MPICH waits forever.
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided, in[4], out[4] = {0, 1, 2, 3};
  MPI_Request requests[4];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 4; i++) MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
#pragma omp parallel num_threads(2)
  {
    int done = 0;
    if (omp_get_thread_num() == 0) {
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    } else {
      MPI_Testall(4, requests, &done, MPI_STATUSES_IGNORE);
      for (int i = 0; i < 4; i++) MPI_Send(&out[i], 1, MPI_INT, 0, i, MPI_COMM_SELF);
    }
  }
  MPI_Finalize();
  return 0;
}
