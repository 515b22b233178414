// vouch: run -n 2
// expect: error collective/constructor @a
// also: crash
// exit: any
// The caller is no member of the group.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Group world, part;
  MPI_Comm comm = MPI_COMM_NULL;
  int other = 1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &other, &part);
  if (rank == 0) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) MPI_Comm_create_group(MPI_COMM_WORLD, part, 5, &comm);  // @a
  MPI_Group_free(&part);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
