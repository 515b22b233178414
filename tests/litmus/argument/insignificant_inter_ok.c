// vouch: run -n 3
// expect: clean
// [U2] on an inter-communicator: ranks 0 and 1 face rank 2. (Both libraries look at the count and type of the
// root's mates in a broadcast, so only the buffer is wild there.)
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part, inter;
  void* wild = (void*)0x10;
  int x = 1, y[2], root = rank == 0, mate = rank == 1, leaf = rank == 2;
  int to = leaf ? 0 : root ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Datatype none = MPI_DATATYPE_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, leaf, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, leaf ? 0 : 2, 9, &inter);
  MPI_Bcast(mate ? wild : &x, 1, MPI_INT, to, inter);
  MPI_Gather(leaf ? &x : wild, leaf ? 1 : -7, leaf ? MPI_INT : none, root ? y : wild, root ? 1 : -7, root ? MPI_INT : none, to, inter);
  MPI_Scatter(root ? &x : wild, root ? 1 : -7, root ? MPI_INT : none, leaf ? y : wild, leaf ? 1 : -7, leaf ? MPI_INT : none, to, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
