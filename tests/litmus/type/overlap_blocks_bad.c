// vouch: run -n 2
// expect: error type/overlap @a
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {1, 2}, all[4] = {0};
  int counts[] = {2, 2}, displs[] = {0, 1};
  MPI_Allgatherv(x, 2, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);  // @a
  MPI_Finalize();
  return 0;
}
