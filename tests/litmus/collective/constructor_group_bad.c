// vouch: run -n 3
// expect: error collective/constructor @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group world, group;
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks[2];

  ranks[0] = rank == 1 ? 1 : 0;
  ranks[1] = 1 - ranks[0];
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, ranks, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &comm);  // @a
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
