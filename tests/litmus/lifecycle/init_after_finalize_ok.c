// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  int flag;
  MPI_Finalized(&flag);
  if (!flag) MPI_Init(&argc, &argv);
  return 0;
}
