// vouch: run -n 1
// expect: clean
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int dims[2] = {1, 1}, periods[2] = {1, 0}, coords[2] = {-5, 0}, rank;
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_SELF, 2, dims, periods, 0, &cart);
  MPI_Cart_rank(cart, coords, &rank);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
