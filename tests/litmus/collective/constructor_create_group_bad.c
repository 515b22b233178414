// vouch: run -n 3
// expect: error collective/constructor @a
// also: crash
// exit: any
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, part;
  MPI_Comm comm;
  int ranks[2] = {rank == 0 ? 0 : 1, rank == 0 ? 1 : 0};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  if (rank < 2) {
    MPI_Group_incl(world, 2, ranks, &part);
    MPI_Comm_create_group(MPI_COMM_WORLD, part, 5, &comm);  // @a
    MPI_Comm_free(&comm);
    MPI_Group_free(&part);
  }
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
