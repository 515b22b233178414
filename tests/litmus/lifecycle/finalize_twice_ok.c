// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int flag;
  MPI_Finalized(&flag);
  if (!flag) MPI_Finalize();
  MPI_Finalized(&flag);
  if (!flag) MPI_Finalize();
  return 0;
}
