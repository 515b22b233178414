// vouch: run -n 1
// expect: warning leak/group @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);  // @a
  MPI_Finalize();
  return 0;
}
