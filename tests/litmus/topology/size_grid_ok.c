// vouch: run -n 3
// expect: clean
// A smaller grid leaves MPI_COMM_NULL to the rest.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dims[2] = {2, 1}, periods[2] = {0, 1};
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  if (cart != MPI_COMM_NULL) MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
