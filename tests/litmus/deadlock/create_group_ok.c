// vouch: run -n 3
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int x = 0;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  const int some[2] = {0, 1};
  MPI_Group two;
  MPI_Comm pair;
  MPI_Group_incl(group, 2, some, &two);
  // Who is no member takes no part, and tags tell calls apart.
  if (rank < 2) MPI_Comm_create_group(MPI_COMM_WORLD, two, 1, &pair);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank < 2) MPI_Comm_free(&pair);
  MPI_Group_free(&two);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
