// vouch: run -n 2
// expect: error argument/group @a
// expect: error argument/group @b
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group world, part = MPI_GROUP_NULL;
  int rank = 2, range[1][3] = {{0, 1, 0}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &rank, &part);  // @a
  MPI_Group_range_incl(world, 1, range, &part);  // @b
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
