// Every thread of a team calls MPI, one at a time.
// vouch: run -n 2
// expect: clean
// flags: -fopenmp
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0, good = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request requests[8];
  int in[4], out[4];
#pragma omp parallel num_threads(4)
  {
    const int me = omp_get_thread_num();
    out[me] = rank * 4 + me;
#pragma omp critical(mpi)
    {
      MPI_Irecv(&in[me], 1, MPI_INT, (rank + size - 1) % size, me, MPI_COMM_WORLD, &requests[me]);
      MPI_Isend(&out[me], 1, MPI_INT, (rank + 1) % size, me, MPI_COMM_WORLD, &requests[4 + me]);
    }
#pragma omp barrier
#pragma omp single
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
#pragma omp critical(count)
    good += in[me] == ((rank + size - 1) % size) * 4 + me;
  }
  MPI_Finalize();
  return good == 4 ? 0 : 1;
}
