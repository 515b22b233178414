// vouch: run -n 1
// expect: error topology/argument @a
// Outside in a direction that does not wrap.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int dims[2] = {1, 1}, periods[2] = {1, 0}, coords[2] = {5, 1}, rank;
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_SELF, 2, dims, periods, 0, &cart);
  MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
  MPI_Cart_rank(cart, coords, &rank);  // @a
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
