// vouch: run -n 1
// expect: error argument/group @a
// also: crash
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Group world, part, copy;
  int rank = 0, size;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &rank, &part);
  copy = part;
  MPI_Group_free(&part);
  MPI_Group_size(copy, &size);  // @a
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
