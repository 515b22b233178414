// vouch: run -n 64
// expect: error argument/rank @a
// label: slow
// [U5]: 64 ranks, 1000 times, one finding.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  for (int i = 0; i < 1000; i++) {
    MPI_Send(&x, 1, MPI_INT, size, 7, MPI_COMM_WORLD);  // @a
  }
  MPI_Finalize();
  return 0;
}
