// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  for (int i = 0; i < 6000; i++) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_free(&type);
  }
  MPI_Finalize();
  return 0;
}
