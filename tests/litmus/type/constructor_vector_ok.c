// vouch: run -n 1
// expect: clean
// Zeros, negative strides, displacements and bounds, extents below the true extent.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int lengths[2] = {0, 3}, displs[2] = {-8, -1};
  MPI_Datatype types[6];
  MPI_Type_vector(0, 1, 2, MPI_INT, &types[0]);
  MPI_Type_vector(2, 0, 2, MPI_INT, &types[1]);
  MPI_Type_vector(4, 2, -3, MPI_INT, &types[2]);
  MPI_Type_indexed(2, lengths, displs, MPI_INT, &types[3]);
  MPI_Type_create_resized(MPI_DOUBLE, -4, 4, &types[4]);
  MPI_Type_contiguous(0, MPI_INT, &types[5]);
  for (int i = 0; i < 6; i++) MPI_Type_free(&types[i]);
  MPI_Finalize();
  return 0;
}
