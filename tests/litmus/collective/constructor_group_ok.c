// vouch: run -n 5
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group world, group;
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks[2];

  // [U37]: disjoint groups, and one that is empty.
  ranks[0] = rank / 2 * 2;
  ranks[1] = ranks[0] + 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (rank == 4) {
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
  } else {
    MPI_Group_incl(world, 2, ranks, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : rank, -rank, &comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
