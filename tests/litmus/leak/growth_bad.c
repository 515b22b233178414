// vouch: run -n 1
// expect: warning leak/growth @a
// A loop that frees nothing: told as growth, not once more as a leak at the end.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype type;
  for (int i = 0; i < 6000; i++) {
    MPI_Type_contiguous(2, MPI_INT, &type);  // @a
  }
  MPI_Finalize();
  return 0;
}
