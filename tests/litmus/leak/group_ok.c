// vouch: run -n 1
// expect: clean
// [U28]: an empty group is MPI_GROUP_EMPTY, wherever it comes from.
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group group, none;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_incl(group, 0, NULL, &none);
  MPI_Group_free(&group);
  MPI_Finalize();
  return 0;
}
