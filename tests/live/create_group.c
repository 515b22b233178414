// predict: -n 4
// verdict: clean
// A communicator that only its members make, beside a receive from any source.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, pair;
  MPI_Comm both;
  const int members[2] = {rank & ~1, rank | 1};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, members, &pair);
  MPI_Comm_create_group(MPI_COMM_WORLD, pair, 7, &both);
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, both);
  if (rank == 0)
    for (int i = 1; i < 4; ++i)
      MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  MPI_Comm_free(&both);
  MPI_Group_free(&pair);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
