// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int flag;
  MPI_Initialized(&flag);
  if (!flag) MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
