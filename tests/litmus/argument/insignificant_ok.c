// vouch: run -n 2
// expect: clean
// [U2]: garbage in every argument that does not count.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x[2] = {1, 2}, y[2], counts[2] = {1, 1}, displs[2] = {0, 1}, root = rank == 0;
  void* wild = (void*)0x10;
  MPI_Comm comm = MPI_COMM_WORLD, part;
  MPI_Datatype none = MPI_DATATYPE_NULL, type = root ? MPI_INT : none;
  MPI_Gather(x, 1, MPI_INT, root ? y : wild, root ? 1 : -7, type, 0, comm);
  MPI_Gatherv(x, 1, MPI_INT, root ? y : wild, root ? counts : wild, root ? displs : wild, type, 0, comm);
  MPI_Scatter(root ? x : wild, root ? 1 : -7, type, y, 1, MPI_INT, 0, comm);
  MPI_Scatterv(root ? x : wild, root ? counts : wild, root ? displs : wild, type, y, 1, MPI_INT, 0, comm);
  MPI_Reduce(x, root ? y : wild, 1, MPI_INT, MPI_SUM, 0, comm);
  MPI_Exscan(x, root ? wild : y, 1, MPI_INT, MPI_SUM, comm);
  MPI_Send(wild, 0, MPI_INT, MPI_PROC_NULL, 0, comm);
  MPI_Bcast(wild, 0, MPI_INT, 0, comm);
  MPI_Comm_split(comm, root ? 0 : MPI_UNDEFINED, root ? 0 : -7, &part);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
