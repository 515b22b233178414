// vouch: run -n 2
// expect: error argument/group @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group world, twice = MPI_GROUP_NULL;
  int ranks[2] = {0, 0};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int code = MPI_Group_incl(world, 2, ranks, &twice);  // @a
  if (code == MPI_SUCCESS) MPI_Group_free(&twice);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
