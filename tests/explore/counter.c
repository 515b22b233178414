// A tool of its own above vouch: counts the sends of the program, by the profiling interface.
#include <mpi.h>
#include <stdio.h>

static int sends;

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buf, count, type, dest, tag, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) printf("rank %d sent %d\n", rank, sends);
  MPI_Finalize();
  return 0;
}
