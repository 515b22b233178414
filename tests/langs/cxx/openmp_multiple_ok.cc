// Every thread of a team calls MPI whenever it likes; messages are told apart by tags.
// vouch: run -n 2
// requires: threads
// expect: clean
// flags: -fopenmp
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0, good = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(3) reduction(+ : good)
  {
    const int me = omp_get_thread_num();
    for (int round = 0; round < 10; ++round) {
      int out = rank * 100 + me, in = -1;
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, me, MPI_COMM_WORLD, &request);
      MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, me, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      good += in == ((rank + size - 1) % size) * 100 + me;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return good == 30 ? 0 : 1;
}
