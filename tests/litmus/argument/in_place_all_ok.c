// vouch: run -n 2
// expect: clean
// [U3]: every place where MPI_IN_PLACE is allowed; what it makes ignored is garbage.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[4] = {1, 2, 3, 4}, counts[2] = {1, 1}, displs[2] = {0, 1}, bytes[2] = {0, 4};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT}, none = MPI_DATATYPE_NULL;
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Request request;
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : x, rank ? 1 : -9, rank ? MPI_INT : none, x, 1, MPI_INT, 0, comm);
  MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : x, rank ? 1 : -9, rank ? MPI_INT : none, x, counts, displs, MPI_INT, 0, comm);
  MPI_Scatter(x, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : x, rank ? 1 : -9, rank ? MPI_INT : none, 0, comm);
  MPI_Scatterv(x, counts, displs, MPI_INT, rank == 0 ? MPI_IN_PLACE : x, rank ? 1 : -9, rank ? MPI_INT : none, 0, comm);
  MPI_Allgather(MPI_IN_PLACE, -9, none, x, 1, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, -9, none, x, counts, displs, MPI_INT, comm);
  MPI_Alltoall(MPI_IN_PLACE, -9, none, x, 1, MPI_INT, comm);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, none, x, counts, displs, MPI_INT, comm);
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, x, counts, bytes, types, comm);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : x, x + 2, 1, MPI_INT, MPI_SUM, 0, comm);
  MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter(MPI_IN_PLACE, x, counts, MPI_INT, MPI_SUM, comm);
  MPI_Scan(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm);
  MPI_Exscan(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm);
  MPI_Iallreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
