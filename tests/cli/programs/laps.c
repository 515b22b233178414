// A short program of four kinds of communication, over and over: laps around a ring, non-blocking
// exchanges, a reduction, a barrier. An unchanged program to be run very often.

#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int laps = argc > 1 ? atoi(argv[1]) : 20;
  int rank, size, x = 0, sum = 0;
  static char large[100000], other[100000];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int lap = 0; lap < laps; ++lap) {
    if (rank == 0) MPI_Send(&x, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(&x, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Request requests[2];
    MPI_Irecv(other, sizeof(other), MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(large, sizeof(large), MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&lap, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
