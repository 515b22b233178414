// vouch: run -n 1
// expect: info lifecycle/deprecated @a
// Information only, once per name: the verdict stays clean.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int* ub;
  int flag;
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);  // @a
  for (int i = 0; i < 3; i++) {
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
  }
  MPI_Finalize();
  return 0;
}
