// vouch: run -n 4
// requires: sessions
// expect: error deadlock/wait-cycle @a
// Collective over both groups: rank 3 comes only after a message that rank 1 sends behind the call.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int low[2] = {0, 1}, high[2] = {2, 3};
  MPI_Group world, mine, theirs;
  MPI_Comm inter;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, rank < 2 ? low : high, &mine);
  MPI_Group_incl(world, 2, rank < 2 ? high : low, &theirs);
  if (rank == 3) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "bridge", MPI_INFO_NULL,  // @a
                                   MPI_ERRORS_ARE_FATAL, &inter);
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
  MPI_Comm_free(&inter);
  MPI_Group_free(&mine);
  MPI_Group_free(&theirs);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
