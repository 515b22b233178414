// vouch: run -n 2
// expect: clean
// [U42]: a grid without dimensions is a single process.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int nothing[1];
  MPI_Comm point;
  MPI_Cart_create(MPI_COMM_WORLD, 0, nothing, nothing, 0, &point);
  if (point != MPI_COMM_NULL) MPI_Comm_free(&point);
  MPI_Graph_create(MPI_COMM_WORLD, 0, nothing, nothing, 0, &point);
  if (point != MPI_COMM_NULL) MPI_Comm_free(&point);
  MPI_Finalize();
  return 0;
}
