// vouch: run -n 1
// requires: openmpi
// expect: clean
#include <mpi.h>

#include <mpi-ext.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int answer = MPIX_Query_cuda_support();
  MPI_Finalize();
  return answer == 0 || answer == 1 ? 0 : 1;
}
