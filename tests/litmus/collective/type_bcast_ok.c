// vouch: run -n 3
// expect: clean
// [U16]
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int values[30] = {0};
  MPI_Datatype ten, pairs;
  MPI_Type_contiguous(10, MPI_INT, &ten);
  MPI_Type_vector(5, 2, 3, MPI_INT, &pairs);
  MPI_Type_commit(&ten);
  MPI_Type_commit(&pairs);
  if (rank == 0) MPI_Bcast(values, 10, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Bcast(values, 1, ten, 0, MPI_COMM_WORLD);
  if (rank == 2) MPI_Bcast(values, 1, pairs, 0, MPI_COMM_WORLD);
  MPI_Type_free(&ten);
  MPI_Type_free(&pairs);
  MPI_Finalize();
  return 0;
}
