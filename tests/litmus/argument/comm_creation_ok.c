// vouch: run -n 4
// expect: clean
// [U37]: disjoint groups in MPI_Comm_create, a create_group of some, garbage at those who do not lead
// (not in the tag, which MPICH looks at everywhere).
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, half;
  MPI_Comm part, same, inter;
  int ranks[2] = {rank / 2 * 2, rank / 2 * 2 + 1};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, ranks, &half);
  MPI_Comm_create(MPI_COMM_WORLD, half, &part);
  if (rank < 2) {
    MPI_Comm_create_group(MPI_COMM_WORLD, half, 3, &same);
    MPI_Comm_free(&same);
  }
  if (rank % 2 == 0) {
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0 ? 2 : 0, 11, &inter);
  } else {
    MPI_Intercomm_create(part, 0, MPI_COMM_NULL, -99, 11, &inter);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Group_free(&half);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
